package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// end is where a line ends, for a name beside it.
type end struct {
	entry legendEntry
	x, y  float64
}

// Room for names at the ends of lines: the share of the width that the longest may take, the distance
// between names, and how far one may lie from its line.
const (
	endShare = 0.3
	endRow   = vg.Length(smallPt + 1)
	endAway  = 2.5 * endRow
	endGap   = vg.Length(9)
	endApart = vg.Length(2.5) // the least distance of two ends
)

// direct reports whether the names stand at the ends of the lines, and how wide they are: a single
// plot whose lines reach its right side, with names that are short enough and find places near by.
func (f *Figure) direct() (width vg.Length, ok bool) {
	if len(f.ends) < 2 || f.panels != nil || f.plot.X.Max <= f.plot.X.Min {
		return 0, false
	}
	short, style := f.shortNames(), legendStyle()
	for _, e := range f.ends {
		if x := f.plot.X.Norm(e.x); !(x > 0.97) || x > 1.001 {
			return 0, false
		}
		width = max(width, style.Width(short[e.entry.name])+endGap)
	}
	if width > endShare*vg.Length(f.Width)*vg.Inch {
		return 0, false
	}
	h := vg.Length(f.Height)*vg.Inch - 2*textPt - 12 // the plot without its axis
	at, places := f.endPlaces(0, h)
	sorted := slices.Sorted(slices.Values(at))
	for i := range at {
		if i > 0 && sorted[i]-sorted[i-1] < endApart {
			return 0, false
		}
		if !(at[i] >= 0 && at[i] <= h) || math.Abs(float64(at[i]-places[i])) > float64(endAway) {
			return 0, false
		}
	}
	return width, true
}

// endPlaces gives where lines end between two heights, and the heights of their names: in the order of
// the ends, apart from each other, as near as that allows.
func (f *Figure) endPlaces(low, high vg.Length) (at, places []vg.Length) {
	order := make([]int, len(f.ends))
	for i, e := range f.ends {
		order[i] = i
		at = append(at, low+vg.Length(f.plot.Y.Norm(e.y))*(high-low))
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case at[a] < at[b]:
			return -1
		case at[a] > at[b]:
			return 1
		}
		return 0
	})
	// Names that would overlap are one block around the mean of their places.
	type block struct {
		sum vg.Length // of the places at which its first name would be right
		n   int
	}
	bottom := func(b block) vg.Length {
		return max(low, min(b.sum/vg.Length(b.n), high-endRow*vg.Length(b.n-1)))
	}
	var blocks []block
	for _, i := range order {
		b := block{at[i], 1}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if bottom(last)+endRow*vg.Length(last.n) <= bottom(b) {
				break
			}
			b = block{last.sum + b.sum - endRow*vg.Length(last.n*b.n), last.n + b.n}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	places = make([]vg.Length, len(order))
	k := 0
	for _, b := range blocks {
		for j := range b.n {
			places[order[k]] = bottom(b) + endRow*vg.Length(j)
			k++
		}
	}
	return at, places
}

// drawEnds writes the names right of the plot, with a line to a name that lies apart from its end.
func (f *Figure) drawEnds(c draw.Canvas, area draw.Canvas) {
	short, style := f.shortNames(), legendStyle()
	at, places := f.endPlaces(area.Min.Y, area.Max.Y)
	for i, e := range f.ends {
		x := area.Max.X + 2
		if math.Abs(float64(at[i]-places[i])) > 1 {
			c.StrokeLines(thin(0x90), []vg.Point{{X: x, Y: at[i]}, {X: x + endGap - 4, Y: places[i]}})
		}
		c.FillText(style, vg.Point{X: x + endGap - 3, Y: places[i]}, short[e.entry.name])
	}
}

// endMarks draws the marker of each line at its end, beside its name.
type endMarks struct{ f *Figure }

// Plot implements plot.Plotter.
func (m endMarks) Plot(c draw.Canvas, p *plot.Plot) {
	if _, ok := m.f.direct(); !ok {
		return
	}
	tx, ty := p.Transforms(&c)
	for _, e := range m.f.ends {
		if e.entry.mark == nil {
			continue
		}
		at := vg.Point{X: tx(e.x), Y: ty(e.y)}
		c.DrawGlyph(draw.GlyphStyle{Color: color.White, Radius: vg.Points(2.6), Shape: draw.CircleGlyph{}}, at)
		c.DrawGlyph(draw.GlyphStyle{Color: e.entry.line.Color, Radius: vg.Points(2), Shape: e.entry.mark}, at)
	}
}
