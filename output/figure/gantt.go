package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Span is one bar of a Gantt chart.
type Span struct {
	// Row names the line: a job, a machine. Rows appear in the order of first use.
	Row string
	// Start and End in the unit of the axis.
	Start, End float64
	// Kind chooses the colour and is in the legend: a model, a level; "" = the first colour.
	Kind string
	// Label is written into the bar where it fits.
	Label string
}

// Gantt draws spans over time, the first row on top.
func Gantt(title string, x Axis, spans []Span) (*Figure, error) {
	f := newFigure(title, x, Axis{})
	f.Width, f.Header = 2*columnWidth+0.2, []string{"row", "start", "end", "kind", "label"}
	if len(spans) == 0 {
		return nil, fmt.Errorf("figure: Gantt chart %q: no span", title)
	}
	g := gantt{spans: spans}
	for _, s := range spans {
		if !(s.End >= s.Start) || math.IsInf(s.Start, 0) || math.IsInf(s.End, 0) {
			return nil, fmt.Errorf("figure: Gantt chart %q: row %q from %v to %v", title, s.Row, s.Start, s.End)
		}
		if !slices.Contains(g.rows, s.Row) {
			g.rows = append(g.rows, s.Row)
		}
		if !slices.Contains(g.kinds, s.Kind) {
			g.kinds = append(g.kinds, s.Kind)
		}
		f.row(s.Row, s.Start, s.End, s.Kind, s.Label)
	}
	f.Height = min(0.85+0.13*float64(len(g.rows)), 9)
	f.grid()
	f.plot.Add(g)
	names := slices.Clone(g.rows)
	slices.Reverse(names)
	f.plot.Y.Tick.Marker, f.plot.Y.Tick.Length = named(names), 0
	if len(g.kinds) > 1 {
		for i, k := range g.kinds {
			f.legend = append(f.legend, legendEntry{name: k, line: draw.LineStyle{Color: kindColour(i)}, filled: true})
		}
	}
	f.fix(x, Axis{})
	return f, nil
}

type gantt struct {
	spans       []Span
	rows, kinds []string
}

// Plot implements plot.Plotter.
func (g gantt) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for _, s := range g.spans {
		y := float64(len(g.rows) - 1 - slices.Index(g.rows, s.Row))
		x0, x1 := tx(max(s.Start, p.X.Min)), tx(min(s.End, p.X.Max))
		if x1 < x0 {
			continue
		}
		y0, y1 := ty(y-0.4), ty(y+0.4)
		fill := kindColour(slices.Index(g.kinds, s.Kind))
		box := []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
		c.FillPolygon(fill, box)
		c.StrokeLines(draw.LineStyle{Color: color.White, Width: vg.Points(0.4)}, append(box, box[0]))
		ink := color.Gray{0}
		if luminance(fill) < 0.5 {
			ink = color.Gray{255}
		}
		style := textStyle(smallPt-1, ink)
		if style.Width(s.Label)+2 < x1-x0 && y1-y0 > smallPt-2 {
			c.FillText(style, vg.Point{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}, s.Label)
		}
	}
}

// DataRange implements plot.DataRanger.
func (g gantt) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = math.Inf(1), math.Inf(-1)
	for _, s := range g.spans {
		xmin, xmax = min(xmin, s.Start), max(xmax, s.End)
	}
	return xmin, xmax, -0.5, float64(len(g.rows)) - 0.5
}
