package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legendEntry explains one series: a line, a box when filled, or a point when it has a shape.
type legendEntry struct {
	name   string
	line   draw.LineStyle
	filled bool
	shape  draw.GlyphDrawer
}

const (
	swatch    = vg.Length(16) // width of the sample of a line
	swatchGap = vg.Length(3)
	entryGap  = vg.Length(9)
	legendRow = vg.Length(10)
)

// drawLegend fills rows at the top of c with entries, centred, and gives the height used.
func drawLegend(c draw.Canvas, entries []legendEntry) vg.Length {
	style := align(textStyle(smallPt, color.Black), draw.XLeft, draw.YCenter)
	width := func(e legendEntry) vg.Length { return e.box() + swatchGap + style.Width(e.name) }
	y := c.Max.Y - legendRow/2
	for len(entries) > 0 {
		n, total := 1, width(entries[0])
		for n < len(entries) && total+entryGap+width(entries[n]) <= c.Size().X {
			total += entryGap + width(entries[n])
			n++
		}
		x := c.Min.X + max(0, (c.Size().X-total)/2)
		for _, e := range entries[:n] {
			e.draw(c, x, y)
			c.FillText(style, vg.Point{X: x + e.box() + swatchGap, Y: y}, e.name)
			x += width(e) + entryGap
		}
		y -= legendRow
		entries = entries[n:]
	}
	return c.Max.Y - legendRow/2 - y + vg.Points(2)
}

func (e legendEntry) box() vg.Length {
	if e.filled || e.shape != nil {
		return swatch / 2
	}
	return swatch
}

func (e legendEntry) draw(c draw.Canvas, x, y vg.Length) {
	if e.filled {
		h := swatch / 4
		c.FillPolygon(e.line.Color, []vg.Point{{X: x, Y: y - h}, {X: x + e.box(), Y: y - h}, {X: x + e.box(), Y: y + h}, {X: x, Y: y + h}})
		return
	}
	if e.shape != nil {
		c.DrawGlyph(draw.GlyphStyle{Color: e.line.Color, Radius: vg.Points(2.2), Shape: e.shape}, vg.Point{X: x + e.box()/2, Y: y})
		return
	}
	c.StrokeLine2(e.line, x, y, x+e.box(), y)
}
