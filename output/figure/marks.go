package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mark draws the marks of the y axis, which the range then has in it.
func (f *Figure) mark(y Axis) {
	for _, m := range y.Marks {
		if math.IsNaN(m.At) || math.IsInf(m.At, 0) || y.Log && m.At <= 0 {
			continue
		}
		style := markStyle()
		f.plot.Add(level{m.At, style})
		f.markRow(m)
		if m.Name != "" {
			f.legend = append(f.legend, legendEntry{name: m.Name, line: style})
		}
	}
}

// markRow puts a mark into the table. What a mark at 0 or 1 is, the label of the axis states.
func (f *Figure) markRow(m Mark) {
	if m.Name == "" || m.At == 0 || m.At == 1 {
		return
	}
	row := make([]any, len(f.Header))
	for i, h := range f.Header {
		switch h {
		case "series":
			row[i] = m.Name
		case "y", "value":
			row[i] = m.At
		case "n", "group":
			row[i] = ""
		default:
			row[i] = math.NaN()
		}
	}
	f.row(row...)
}

// markStyle is the line of a mark.
func markStyle() draw.LineStyle {
	return draw.LineStyle{Color: color.Gray{0x50}, Width: vg.Points(0.8), Dashes: []vg.Length{3, 1.5}}
}

// level is a line across the plot.
type level struct {
	at    float64
	style draw.LineStyle
}

// Plot implements plot.Plotter.
func (l level) Plot(c draw.Canvas, p *plot.Plot) {
	_, ty := p.Transforms(&c)
	c.StrokeLine2(l.style, c.Min.X, ty(l.at), c.Max.X, ty(l.at))
}

// DataRange implements plot.DataRanger: it asks for no place along x.
func (l level) DataRange() (xmin, xmax, ymin, ymax float64) {
	return math.Inf(1), math.Inf(-1), l.at, l.at
}
