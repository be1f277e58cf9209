package figure

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// edgePoint is a value that a logarithmic axis has no place for, which is drawn at the edge of the
// plot; x or y is NaN where it lies beyond the left or the lower edge.
type edgePoint struct {
	x, y float64
	ink  color.Color
	size vg.Length
}

// edgeSize is the size of such a point; of a single unit's it is half.
const edgeSize = vg.Length(2.8)

// edgePoints draws them as triangles that point outwards.
type edgePoints []edgePoint

// Plot implements plot.Plotter.
func (all edgePoints) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for _, e := range all {
		at, left := vg.Point{X: c.Min.X, Y: c.Min.Y}, math.IsNaN(e.x)
		if !left {
			at.X = tx(e.x)
		}
		if !math.IsNaN(e.y) {
			at.Y = ty(e.y)
		}
		wedge(c, at, left, e.size, e.ink)
	}
}

// wedge is a triangle that points left, or else down.
func wedge(c draw.Canvas, at vg.Point, left bool, size vg.Length, ink color.Color) {
	corners := []vg.Point{{X: -size}, {X: size / 2, Y: size}, {X: size / 2, Y: -size}}
	for i, p := range corners {
		if corners[i] = at.Add(p); !left {
			corners[i] = at.Add(vg.Point{X: p.Y, Y: p.X})
		}
	}
	c.FillPolygon(ink, corners)
}

// offLog reports whether a value has no place on a logarithmic axis for being 0 or less.
func offLog(v float64, log bool) bool { return log && v <= 0 && !math.IsInf(v, 0) }

// edges collects the points of a series, and of its members, that lie beyond a logarithmic axis; x
// gives the place of a point. Points are counted for the note, members are not.
func (f *Figure) edges(s Series, x func(i int) float64, logX, logY bool, ink color.Color) edgePoints {
	var out edgePoints
	add := func(i int, v float64, size vg.Length) bool {
		at := edgePoint{x: x(i), y: v, ink: ink, size: size}
		outX, outY := offLog(at.x, logX), offLog(v, logY)
		switch {
		case !outX && !outY || !fits(at.x, false) || !fits(v, false):
			return false
		case outX && outY: // the corner
			at.x, at.y = math.NaN(), math.NaN()
		case outX:
			at.x = math.NaN()
		default:
			at.y = math.NaN()
		}
		out = append(out, at)
		return true
	}
	for i, v := range s.Y {
		if add(i, v, edgeSize) {
			f.beyond++
		}
	}
	for _, m := range s.Members {
		for i, v := range m.Y {
			add(i, v, edgeSize/2)
		}
	}
	return out
}

// edgeNote states what the triangles are; "" = there are none.
func (f *Figure) edgeNote() string {
	n, shares := f.beyond, f.shares
	for _, p := range f.panels {
		n, shares = n+p.beyond, shares+p.shares
	}
	if shares > 0 {
		return "A triangle at the left is the share of values of 0 or less, with which its line begins."
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "The triangle at the edge is a value of 0 or less, which has no place on a logarithmic axis."
	}
	return fmt.Sprintf("The %d triangles at the edge are values of 0 or less, which have no place on a logarithmic "+
		"axis.", n)
}

// bandPlot fills between the bounds of a series. Where a bound leaves the frame, an arrow shows it.
type bandPlot struct {
	f     *Figure
	s     Series
	runs  [][]int
	ink   color.RGBA
	shown span
}

// Plot implements plot.Plotter.
func (b bandPlot) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	height := func(v float64) vg.Length { return ty(max(min(v, p.Y.Max), p.Y.Min)) }
	for _, run := range b.runs {
		var upper, lower []vg.Point
		for j, k := range run {
			x := tx(b.s.X[k])
			if b.s.Step && j > 0 { // the old value holds until here
				upper = append(upper, vg.Point{X: x, Y: upper[len(upper)-1].Y})
				lower = append(lower, vg.Point{X: x, Y: lower[len(lower)-1].Y})
			}
			upper = append(upper, vg.Point{X: x, Y: height(b.s.Hi[k])})
			lower = append(lower, vg.Point{X: x, Y: height(b.s.Lo[k])})
		}
		for i := len(lower) - 1; i >= 0; i-- {
			upper = append(upper, lower[i])
		}
		c.FillPolygon(faded{color.NRGBA{b.ink.R, b.ink.G, b.ink.B, 56}, b.f}, c.ClipPolygonXY(upper))
		b.arrows(c, p, run, func(k int) bool { return b.s.Hi[k] > p.Y.Max }, c.Max.Y, 1)
		if p.Y.Min != 0 { // below 0 an interval of amounts states nothing
			b.arrows(c, p, run, func(k int) bool { return b.s.Lo[k] < p.Y.Min }, c.Min.Y, -1)
		}
	}
}

// arrows marks each stretch of a run whose bound lies beyond an edge, in its middle.
func (b bandPlot) arrows(c draw.Canvas, p *plot.Plot, run []int, out func(k int) bool, edge vg.Length, way vg.Length) {
	const size = vg.Length(2)
	tx, _ := p.Transforms(&c)
	style := draw.LineStyle{Color: b.ink, Width: vg.Points(0.8)}
	for from := 0; from < len(run); from++ {
		to := from
		for to < len(run) && out(run[to]) {
			to++
		}
		if to == from {
			continue
		}
		x := tx(b.s.X[run[(from+to-1)/2]])
		if c.ContainsX(x) {
			c.StrokeLines(style, []vg.Point{{X: x - size, Y: edge - way*size}, {X: x, Y: edge}, {X: x + size,
				Y: edge - way*size}})
		}
		from = to
	}
}

// DataRange implements plot.DataRanger: as much of the bounds as leaves the lines to be seen.
func (b bandPlot) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, run := range b.runs {
		for _, k := range run {
			xmin, xmax = min(xmin, b.s.X[k]), max(xmax, b.s.X[k])
			ymin, ymax = min(ymin, max(b.s.Lo[k], b.shown.lo)), max(ymax, min(b.s.Hi[k], b.shown.hi))
		}
	}
	return xmin, xmax, ymin, ymax
}
