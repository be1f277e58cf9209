package figure

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heat draws a table of numbers as coloured cells: values[row][column], the first row
// at the bottom. Cells show their number when there is room; NaN cells stay white.
func Heat(title string, x, y, z Axis, columns, rows []string, values [][]float64) (*Figure, error) {
	f := newFigure(title, x, y)
	f.Header = []string{"row", "column", "value"}
	if len(values) != len(rows) || len(rows) == 0 || len(columns) == 0 {
		return nil, fmt.Errorf("figure: heat map %q: %d rows of values, want %d rows by %d columns", title,
			len(values), len(rows), len(columns))
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for r, line := range values {
		if len(line) != len(columns) {
			return nil, fmt.Errorf("figure: heat map %q: row %q has %d values, want %d", title, rows[r], len(line),
				len(columns))
		}
		for c, v := range line {
			f.row(rows[r], columns[c], v)
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	if lo > hi {
		return nil, fmt.Errorf("figure: heat map %q: no value to draw", title)
	}
	if z.Min != 0 || z.Max != 0 {
		lo, hi = z.Min, z.Max
	}
	f.bar = &colourBar{lo, hi, z.Label}
	f.plot.Add(cells{values, f.bar})
	f.plot.X.Tick.Marker, f.plot.Y.Tick.Marker = named(columns), named(rows)
	f.plot.X.Tick.Length, f.plot.Y.Tick.Length = 0, 0
	f.plot.X.Padding, f.plot.Y.Padding = 0, 0
	f.slant(columns)
	f.replace = func() { f.slant(columns) }
	return f, nil
}

type cells struct {
	values [][]float64
	bar    *colourBar
}

// Plot implements plot.Plotter.
func (h cells) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for r, line := range h.values {
		for k, v := range line {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			x0, x1 := tx(float64(k)-0.5), tx(float64(k)+0.5)
			y0, y1 := ty(float64(r)-0.5), ty(float64(r)+0.5)
			fill := h.bar.colour(v)
			c.FillPolygon(fill, []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
			ink := color.Gray{0}
			if luminance(fill) < 0.45 {
				ink = color.Gray{255}
			}
			style := textStyle(smallPt, ink)
			if s := short(v); style.Width(s)+2 < x1-x0 && y1-y0 > smallPt+2 {
				c.FillText(style, vg.Point{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}, s)
			}
		}
	}
}

// DataRange implements plot.DataRanger.
func (h cells) DataRange() (xmin, xmax, ymin, ymax float64) {
	return -0.5, float64(len(h.values[0])) - 0.5, -0.5, float64(len(h.values)) - 0.5
}

// colourBar maps numbers to colours and explains them.
type colourBar struct {
	lo, hi float64
	label  string
}

// colour interpolates six anchors of viridis (Smith and van der Walt, 2015), whose
// lightness grows evenly, also in grey print.
func (b *colourBar) colour(v float64) color.RGBA {
	anchors := [...][3]float64{{68, 1, 84}, {65, 68, 135}, {42, 120, 142}, {34, 168, 132}, {122, 209, 81},
		{253, 231, 37}}
	at := 0.5
	if b.hi > b.lo {
		at = min(max((v-b.lo)/(b.hi-b.lo), 0), 1)
	}
	at *= float64(len(anchors) - 1)
	i := min(int(at), len(anchors)-2)
	mix := func(k int) uint8 {
		return uint8(math.Round(anchors[i][k] + float64((at-float64(i))*(anchors[i+1][k]-anchors[i][k]))))
	}
	return color.RGBA{mix(0), mix(1), mix(2), 0xFF}
}

func luminance(c color.RGBA) float64 {
	return (float64(0.299*float64(c.R)) + float64(0.587*float64(c.G)) + float64(0.114*float64(c.B))) / 255
}

// draw puts the bar at the right and gives what is left of the canvas.
func (b *colourBar) draw(c draw.Canvas) draw.Canvas {
	const width, height = vg.Length(8), 64
	text := align(textStyle(smallPt, color.Black), draw.XLeft, draw.YCenter)
	ticks := niceTicks{}.Ticks(b.lo, b.hi)
	widest := vg.Length(0)
	for _, t := range ticks {
		widest = max(widest, text.Width(t.Label))
	}
	label := align(textStyle(textPt, color.Black), draw.XCenter, draw.YTop)
	label.Rotation = math.Pi / 2
	need := width + 4 + widest + 4 + textPt + 2
	x := c.Max.X - need
	y0, y1 := c.Min.Y+c.Size().Y*0.2, c.Max.Y-c.Size().Y*0.12
	for i := range height {
		at := (float64(i) + 0.5) / height
		lo, hi := y0+(y1-y0)*vg.Length(i)/height, y0+(y1-y0)*vg.Length(i+1)/height+0.2
		c.FillPolygon(b.colour(b.lo+float64(at*(b.hi-b.lo))),
			[]vg.Point{{X: x, Y: lo}, {X: x + width, Y: lo}, {X: x + width, Y: min(hi, y1)}, {X: x, Y: min(hi, y1)}})
	}
	for _, t := range ticks {
		y := (y0 + y1) / 2
		if b.hi > b.lo {
			y = y0 + (y1-y0)*vg.Length((t.Value-b.lo)/(b.hi-b.lo))
		}
		c.StrokeLine2(thin(0), x+width, y, x+width+2, y)
		c.FillText(text, vg.Point{X: x + width + 4, Y: y}, t.Label)
	}
	c.FillText(label, vg.Point{X: x + width + 4 + widest + 4, Y: (y0 + y1) / 2}, b.label)
	return draw.Crop(c, 0, -need-vg.Points(6), 0, 0)
}
