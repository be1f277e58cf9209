package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legendEntry explains one series: a line, with a point on it when it is dotted, a box when filled,
// or a point when it has a shape.
type legendEntry struct {
	name   string
	line   draw.LineStyle
	filled bool
	shape  draw.GlyphDrawer
	dotted draw.GlyphDrawer
	mark   draw.GlyphDrawer // at the end of a line
}

const (
	swatch    = vg.Length(16) // width of the sample of a line
	swatchGap = vg.Length(3)
	entryGap  = vg.Length(9)
	legendRow = vg.Length(10)
	nameRow   = vg.Length(8) // a further line of a name
)

// legendLine is a row of the legend: entries and the lines of their names.
type legendLine struct {
	entries []legendEntry
	names   [][]string
	widths  []vg.Length
	height  vg.Length
}

// layLegend lays entries out in rows of a width. Names that are wider than it are broken, at commas
// where they have some.
func layLegend(entries []legendEntry, width vg.Length) []legendLine {
	style := legendStyle()
	var out []legendLine
	total := vg.Length(0)
	for _, e := range entries {
		names := breakName(e.name, func(s string) bool { return e.box()+swatchGap+style.Width(s) <= width })
		w := vg.Length(0)
		for _, n := range names {
			w = max(w, e.box()+swatchGap+style.Width(n))
		}
		if len(out) == 0 || total+entryGap+w > width {
			out, total = append(out, legendLine{}), -entryGap
		}
		row := &out[len(out)-1]
		row.entries, row.names, row.widths = append(row.entries, e), append(row.names, names), append(row.widths, w)
		row.height = max(row.height, legendRow+nameRow*vg.Length(len(names)-1))
		total += entryGap + w
	}
	return out
}

// breakName breaks a text into lines that fit: after commas and spaces, and a part that fits nowhere
// where it must be.
func breakName(name string, fits func(line string) bool) []string {
	if fits(name) {
		return []string{name}
	}
	var lines []string
	line := ""
	for _, part := range pieces(name) {
		if fits(line + part) {
			line += part
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for line = ""; part != ""; part = part[len(line):] {
			runes, n := []rune(part), 1
			for n < len(runes) && fits(string(runes[:n+1])) {
				n++
			}
			if line = string(runes[:n]); line == part {
				break
			}
			lines = append(lines, line)
		}
	}
	return append(lines, line)
}

// pieces cuts a name after its commas and spaces.
func pieces(name string) (out []string) {
	from := 0
	for i, r := range name {
		if r == ',' || r == ' ' {
			out, from = append(out, name[from:i+1]), i+1
		}
	}
	return append(out, name[from:])
}

func legendStyle() draw.TextStyle {
	return align(textStyle(smallPt, color.Black), draw.XLeft, draw.YCenter)
}

// legendHeight is what rows take, with the gap below.
func legendHeight(rows []legendLine) vg.Length {
	if len(rows) == 0 {
		return 0
	}
	h := vg.Points(2)
	for _, r := range rows {
		h += r.height
	}
	return h
}

// drawLegend fills rows at the top of c, centred.
func drawLegend(c draw.Canvas, rows []legendLine) {
	style := legendStyle()
	top := c.Max.Y
	for _, r := range rows {
		total := entryGap * vg.Length(len(r.entries)-1)
		for _, w := range r.widths {
			total += w
		}
		x := c.Min.X + max(0, (c.Size().X-total)/2)
		for i, e := range r.entries {
			y := top - legendRow/2
			e.draw(c, x, y)
			for _, n := range r.names[i] {
				c.FillText(style, vg.Point{X: x + e.box() + swatchGap, Y: y}, n)
				y -= nameRow
			}
			x += r.widths[i] + entryGap
		}
		top -= r.height
	}
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
		c.FillPolygon(e.line.Color, []vg.Point{{X: x, Y: y - h}, {X: x + e.box(), Y: y - h},
			{X: x + e.box(), Y: y + h}, {X: x, Y: y + h}})
		return
	}
	middle := vg.Point{X: x + e.box()/2, Y: y}
	if e.shape != nil {
		c.DrawGlyph(draw.GlyphStyle{Color: e.line.Color, Radius: vg.Points(2.2), Shape: e.shape}, middle)
		return
	}
	c.StrokeLine2(e.line, x, y, x+e.box(), y)
	if e.dotted != nil {
		c.DrawGlyph(draw.GlyphStyle{Color: e.line.Color, Radius: vg.Points(1.8), Shape: e.dotted}, middle)
	}
}
