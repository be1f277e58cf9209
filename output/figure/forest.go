package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Forest draws a row for each series with its name at the left, a point and its interval, the least
// first: differences and ratios. Several groups are sections, with the series in one order. A mark
// of the axis is a dashed line, and a row with its name. The data are as Dots has them.
func Forest(title string, x Axis, groups []string, series []Series) (*Figure, error) {
	f := newFigure(title, Axis{Label: x.Label, Log: x.Log}, Axis{})
	if len(groups) == 0 || len(series) == 0 {
		return nil, fmt.Errorf("figure: forest %q: %d groups of %d series", title, len(groups), len(series))
	}
	for _, s := range series {
		if err := s.check(len(groups)); err != nil {
			return nil, fmt.Errorf("figure: forest %q: %w", title, err)
		}
	}
	if !(dots{series: series, log: x.Log}).any() {
		return nil, fmt.Errorf("figure: forest %q: no point to draw in %d series", title, len(series))
	}
	f.groupRows(groups, series)
	for _, s := range series {
		for _, v := range s.Y {
			if offLog(v, x.Log) {
				f.beyond++
			}
		}
	}
	span := spanOf(series, x.Log, false)
	f.cut = span.cut
	o := &forest{f: f, series: series, look: looks(series), log: x.Log, span: span, marks: x.Marks}
	o.arrange(groups)
	f.named = o.names()
	g := plotter.NewGrid()
	g.Vertical, g.Horizontal = thin(0xDD), draw.LineStyle{}
	f.plot.Add(g, o)
	f.plot.Y.Tick.Marker, f.plot.Y.Tick.Length = o, 0
	f.plot.Y.LineStyle.Width = 0
	f.listed, f.replace = len(o.rows), o.layOut
	o.layOut()
	f.fix(x, Axis{})
	return f, nil
}

// PageRows is how many rows fit a page of a paper.
const PageRows = 58

// Listed is how many rows a Forest has, heads of sections among them; 0 for other figures.
func (f *Figure) Listed() int { return f.listed }

// rowInch is the height of a row, lineInch of a further line of its name; names have nameRoom of the
// width.
const rowInch, lineInch, nameRoom = 0.145, 0.115, 0.42

// forestRow is one row: a point of a series, the row of a mark (series < 0), or the head of a
// section (head != "").
type forestRow struct {
	series, group int
	mark          Mark
	name, head    string
	at            float64 // its place along y, in rows from the top
}

type forest struct {
	f      *Figure
	series []Series
	look   []int
	log    bool
	span   span
	marks  []Mark
	rows   []forestRow // from the top
	end    float64     // where the last row ends
}

// arrange makes the rows: in each section the marks with names and the series, by their means over
// the sections.
func (o *forest) arrange(groups []string) {
	type place struct {
		row forestRow
		at  float64
	}
	var order []place
	for _, m := range o.marks {
		if m.Name != "" {
			order = append(order, place{forestRow{series: -1, mark: m, name: m.Name}, m.At})
		}
	}
	for i, s := range o.series {
		sum, n := 0.0, 0.0
		for _, v := range s.Y {
			if fits(v, o.log) {
				sum, n = sum+v, n+1
			}
		}
		order = append(order, place{forestRow{series: i, name: s.Name}, sum / max(n, 1)})
	}
	slices.SortStableFunc(order, func(a, b place) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	for g, head := range groups {
		if len(groups) > 1 {
			o.rows = append(o.rows, forestRow{head: head})
		}
		for _, p := range order {
			p.row.group = g
			o.rows = append(o.rows, p.row)
		}
	}
}

// layOut places the rows, and makes the figure as high as they are.
func (o *forest) layOut() {
	lines := o.place()
	h := 0.42 + float64(rowInch*float64(len(o.rows))) + float64(lineInch*float64(lines-len(o.rows)))
	o.f.Height = math.Round(100*h) / 100
	o.f.plot.Y.Min, o.f.plot.Y.Max = 0.4-o.end, 0.6
}

// names are the names of the rows.
func (o *forest) names() (out []string) {
	for _, r := range o.rows {
		if r.head == "" && !slices.Contains(out, r.name) {
			out = append(out, r.name)
		}
	}
	return out
}

// place puts the rows below one another, higher ones where a name takes several lines, and counts
// the lines.
func (o *forest) place() (lines int) {
	shown := o.f.shortNames()
	o.end = 0
	for i := range o.rows {
		n := 1
		if r := &o.rows[i]; r.head == "" {
			n = len(o.broken(shown[r.name] + "*"))
		}
		extra := float64(n-1) * lineInch / rowInch
		o.rows[i].at = o.end + float64(extra/2)
		o.end += 1 + extra
		lines += n
	}
	return lines
}

// broken breaks a name into the lines that its column has room for.
func (o *forest) broken(name string) []string {
	room, style := vg.Length(o.f.Width)*vg.Inch*nameRoom, o.f.plot.Y.Tick.Label
	return breakName(name, func(s string) bool { return style.Width(s) <= room })
}

// Ticks implements plot.Ticker: the names at the rows.
func (o *forest) Ticks(_, _ float64) []plot.Tick {
	shown := o.f.shortNames()
	var out []plot.Tick
	for _, r := range o.rows {
		if r.head == "" {
			out = append(out, plot.Tick{Value: -r.at, Label: strings.Join(o.broken(shown[r.name]), "\n")})
		}
	}
	return out
}

// Plot implements plot.Plotter.
func (o *forest) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	for _, m := range o.marks {
		if fits(m.At, o.log) {
			c.StrokeLine2(markStyle(), tx(m.At), c.Min.Y, tx(m.At), c.Max.Y)
		}
	}
	head := align(textStyle(smallPt, color.Gray{0x30}), draw.XLeft, draw.YCenter)
	for _, r := range o.rows {
		y := ty(-r.at)
		switch {
		case r.head != "":
			c.StrokeLine2(thin(0xDD), c.Min.X, y+vg.Points(5), c.Max.X, y+vg.Points(5))
			o.clear(c, p, y, c.Min.X+2+head.Width(r.head))
			c.FillText(head, vg.Point{X: c.Min.X + 2, Y: y}, r.head)
		case r.series >= 0:
			o.plotRow(c, p, y, &o.series[r.series], r.group, o.look[r.series])
		case r.mark.Look > 0 && fits(r.mark.At, o.log):
			symbol(c, vg.Point{X: tx(r.mark.At), Y: y}, r.mark.Look-1)
		}
	}
}

// clear takes the lines of marks away behind a head that ends at right.
func (o *forest) clear(c draw.Canvas, p *plot.Plot, y, right vg.Length) {
	tx, _ := p.Transforms(&c)
	for _, m := range o.marks {
		if fits(m.At, o.log) && tx(m.At) < right+1 {
			low, high := y-vg.Points(4.5), y+vg.Points(4.5)
			c.FillPolygon(color.White, []vg.Point{{X: c.Min.X + 1, Y: low}, {X: right + 1, Y: low}, {X: right + 1,
				Y: high}, {X: c.Min.X + 1, Y: high}})
			return
		}
	}
}

// plotRow draws a point with its interval and its single units.
func (o *forest) plotRow(c draw.Canvas, p *plot.Plot, y vg.Length, s *Series, group, look int) {
	tx, _ := p.Transforms(&c)
	v := s.Y[group]
	if offLog(v, o.log) {
		wedge(c, vg.Point{X: c.Min.X, Y: y}, true, edgeSize, paint(look))
	}
	if !fits(v, o.log) {
		return
	}
	if lo, hi, ok := s.bounds(group); ok {
		sideBar(c, p, y, lo, hi, paint(look))
	}
	for _, m := range s.Members {
		if offLog(m.Y[group], o.log) {
			wedge(c, vg.Point{X: c.Min.X, Y: y - vg.Points(2.6)}, true, edgeSize/2, paint(look))
		}
		if v := m.Y[group]; v >= p.X.Min && v <= p.X.Max {
			c.DrawGlyph(draw.GlyphStyle{Color: paint(look), Radius: vg.Points(0.7), Shape: draw.CircleGlyph{}},
				vg.Point{X: tx(v), Y: y - vg.Points(2.6)})
		}
	}
	symbol(c, vg.Point{X: tx(v), Y: y}, look)
}

// symbol draws a point in the colour and the shape of a look.
func symbol(c draw.Canvas, at vg.Point, look int) {
	c.DrawGlyph(draw.GlyphStyle{Color: paint(look), Radius: vg.Points(2.2), Shape: shape(look)}, at)
}

// sideBar is an interval along x with caps; an end that is beyond the axis is an arrow.
func sideBar(c draw.Canvas, p *plot.Plot, y vg.Length, lo, hi float64, ink color.Color) {
	const limit = vg.Length(1.5)
	tx, _ := p.Transforms(&c)
	style := draw.LineStyle{Color: ink, Width: vg.Points(0.9)}
	x0, x1 := tx(max(lo, p.X.Min)), tx(min(hi, p.X.Max))
	c.StrokeLine2(style, x0, y, x1, y)
	for _, end := range []struct {
		x   vg.Length
		cut bool
		in  vg.Length
	}{{x0, lo < p.X.Min, limit}, {x1, hi > p.X.Max, -limit}} {
		if end.cut {
			c.StrokeLines(style, []vg.Point{{X: end.x + end.in, Y: y - limit}, {X: end.x, Y: y},
				{X: end.x + end.in, Y: y + limit}})
		} else {
			c.StrokeLine2(style, end.x, y-limit, end.x, y+limit)
		}
	}
}

// DataRange implements plot.DataRanger.
func (o *forest) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = o.span.lo, o.span.hi
	for _, m := range o.marks {
		if fits(m.At, o.log) {
			xmin, xmax = min(xmin, m.At), max(xmax, m.At)
		}
	}
	if ymin, ymax = 0.4-o.end, 0.6; o.log {
		return xmin / 1.05, xmax * 1.05, ymin, ymax
	}
	room := max(float64(0.04*(xmax-xmin)), math.SmallestNonzeroFloat64)
	if xmin == xmax {
		room = 1
	}
	return xmin - room, xmax + room, ymin, ymax
}
