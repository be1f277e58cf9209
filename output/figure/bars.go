package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Series is a named list of numbers with bounds.
type Series struct {
	// Name is in the legend.
	Name string
	// X are the positions; nil for bars, which stand at their group.
	X []float64
	// Y are the values; a bar or point that is NaN is left out.
	Y []float64
	// Lo and Hi are the ends of the error bars or of the band; nil or NaN = none.
	Lo, Hi []float64
	// N is the number of units behind each value, for the table beside the picture; nil = it has no
	// such column.
	N []int
	// Look is the number of the appearance plus one (see Appearances); 0 = the appearance that
	// follows from the names in the figure.
	Look int
	// Step asks Lines for steps instead of slopes: a value holds until the next position.
	Step bool
	// Members are the values of single units, drawn as hairlines by Lines and as points by Bars and
	// Dots, by their names; nil = none.
	Members []Member
}

// Member is one unit of a series: a seed of training.
type Member struct {
	Name string
	Y    []float64
}

func (s Series) check(n int) error {
	switch {
	case s.X != nil && len(s.X) != n:
		return fmt.Errorf("series %q has %d positions, want %d", s.Name, len(s.X), n)
	case len(s.Y) != n:
		return fmt.Errorf("series %q has %d values, want %d", s.Name, len(s.Y), n)
	case s.Lo != nil && len(s.Lo) != n || s.Hi != nil && len(s.Hi) != n || (s.Lo == nil) != (s.Hi == nil):
		return fmt.Errorf("series %q has %d lower and %d upper bounds, want %d or none", s.Name, len(s.Lo), len(s.Hi),
			n)
	}
	if s.N != nil && len(s.N) != n {
		return fmt.Errorf("series %q has %d numbers of units, want %d", s.Name, len(s.N), n)
	}
	for _, m := range s.Members {
		if len(m.Y) != n {
			return fmt.Errorf("%s of series %q has %d values, want %d", m.Name, s.Name, len(m.Y), n)
		}
	}
	return nil
}

// looks gives the appearance of each series.
func looks(series []Series) []int {
	names := make([]string, len(series))
	for i, s := range series {
		names[i] = s.Name
	}
	by, out := Appearances(names), make([]int, len(series))
	for i, s := range series {
		if out[i] = by[s.Name]; s.Look > 0 {
			out[i] = s.Look - 1
		}
	}
	return out
}

// counted reports whether a series has numbers of units.
func counted(series []Series) bool {
	return slices.ContainsFunc(series, func(s Series) bool { return s.N != nil })
}

// count appends the number of units to a row where series are counted.
func (s Series) count(row []any, i int, counted bool) []any {
	switch {
	case !counted:
		return row
	case s.N == nil:
		return append(row, "")
	}
	return append(row, s.N[i])
}

func (s Series) bounds(i int) (lo, hi float64, ok bool) {
	if s.Lo == nil {
		return math.NaN(), math.NaN(), false
	}
	lo, hi = s.Lo[i], s.Hi[i]
	return lo, hi, !math.IsNaN(lo) && !math.IsNaN(hi) && !math.IsInf(lo, 0) && !math.IsInf(hi, 0)
}

// Bars draws groups of bars from zero, one colour per series, with error bars. Several groups:
// metrics, loads; several series: policies. Where two series would have one colour it draws Dots.
func Bars(title string, y Axis, groups []string, series []Series) (*Figure, error) {
	f := newFigure(title, Axis{}, Axis{Label: y.Label})
	if len(groups) == 0 || len(series) == 0 {
		return nil, fmt.Errorf("figure: bars %q: %d groups of %d series", title, len(groups), len(series))
	}
	for _, s := range series {
		if err := s.check(len(groups)); err != nil {
			return nil, fmt.Errorf("figure: bars %q: %w", title, err)
		}
	}
	look := looks(series)
	for i := range look {
		if slices.ContainsFunc(look[:i], func(other int) bool { return other%Colours == look[i]%Colours }) {
			return Dots(title, y, groups, series)
		}
	}
	f.groupRows(groups, series)
	g := plotter.NewGrid()
	g.Vertical, g.Horizontal = draw.LineStyle{}, thin(0xDD)
	f.plot.Add(g, bars{series, look})
	f.cut = spanOf(series, false, true).cut
	f.mark(y)
	f.plot.X.Tick.Marker = named(groups)
	f.plot.X.Tick.Length, f.plot.X.LineStyle = 0, thin(0)
	f.slant(groups)
	f.replace = func() { f.slant(groups) }
	if len(series) > 1 {
		for i, s := range series {
			f.legend = append(f.legend, legendEntry{name: s.Name, line: lineStyle(look[i]), filled: true})
		}
	}
	f.fix(Axis{}, y)
	return f, nil
}

// groupRows writes the data of bars and dots, members last.
func (f *Figure) groupRows(groups []string, series []Series) {
	f.Header = []string{"group", "series", "value", "lo", "hi"}
	n := counted(series)
	if n {
		f.Header = append(f.Header, "n")
	}
	for g, name := range groups {
		for _, s := range series {
			lo, hi, _ := s.bounds(g)
			f.row(s.count([]any{name, s.Name, s.Y[g], lo, hi}, g, n)...)
		}
	}
	for g, name := range groups {
		for _, s := range series {
			for _, m := range s.Members {
				if !math.IsNaN(m.Y[g]) {
					f.row(Series{}.count([]any{name, s.Name + " " + m.Name, m.Y[g], math.NaN(), math.NaN()}, g, n)...)
				}
			}
		}
	}
}

// slant turns the group names when they would run into each other.
func (f *Figure) slant(groups []string) {
	style := &f.plot.X.Tick.Label
	room := vg.Length(f.Width-0.6) * vg.Inch / vg.Length(len(groups))
	for _, g := range groups {
		if style.Width(g)+4 > room {
			style.Rotation, style.XAlign, style.YAlign = math.Pi/7, draw.XRight, draw.YTop
			f.Height = max(f.Height, 2.7)
			return
		}
	}
}

// bars is the plotter: group g is centred on x = g.
type bars struct {
	series []Series
	look   []int
}

// groupWidth is the part of a group's unit that its bars fill.
const groupWidth = 0.8

// Plot implements plot.Plotter.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	w := groupWidth / float64(len(b.series))
	for i, s := range b.series {
		for g, v := range s.Y {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			left := float64(g) - groupWidth/2 + float64(float64(i)*w)
			x0, x1 := tx(left), tx(left+w*0.94)
			y0, y1 := ty(max(0, p.Y.Min)), ty(min(v, p.Y.Max))
			box := []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
			c.FillPolygon(paint(b.look[i]), c.ClipPolygonXY(box))
			if lo, hi, ok := s.bounds(g); ok {
				errorBar(c, p, (x0+x1)/2, lo, hi, min((x1-x0)/3, 3), color.Black)
			}
			s.singles(c, p, g, (x0+x1)/2-(x1-x0)/4, color.Black)
		}
	}
}

// Singles adds the values of single units behind point i of n, as members that are numbered.
func (s *Series) Singles(i, n int, values []float64) {
	for k, v := range values {
		if k == len(s.Members) {
			s.Members = append(s.Members, Member{Name: fmt.Sprintf("(single %d)", k+1),
				Y: slices.Repeat([]float64{math.NaN()}, n)})
		}
		s.Members[k].Y[i] = v
	}
}

// singles draws the values of single units of a group beside its bar or point, at x.
func (s Series) singles(c draw.Canvas, p *plot.Plot, group int, x vg.Length, ink color.Color) {
	_, ty := p.Transforms(&c)
	for _, m := range s.Members {
		if v := m.Y[group]; v >= p.Y.Min && v <= p.Y.Max {
			at := vg.Point{X: x, Y: ty(v)}
			c.DrawGlyph(draw.GlyphStyle{Color: color.White, Radius: vg.Points(1.3), Shape: draw.CircleGlyph{}}, at)
			c.DrawGlyph(draw.GlyphStyle{Color: ink, Radius: vg.Points(0.9), Shape: draw.CircleGlyph{}}, at)
		}
	}
}

// errorBar has a white edge, so that it is seen on every fill. An end that is beyond the axis is an
// arrow.
func errorBar(c draw.Canvas, p *plot.Plot, x vg.Length, lo, hi float64, cap vg.Length, ink color.Color) {
	_, ty := p.Transforms(&c)
	y0, y1 := ty(max(lo, p.Y.Min)), ty(min(hi, p.Y.Max))
	for _, style := range []draw.LineStyle{
		{Color: color.White, Width: vg.Points(2)}, {Color: ink, Width: vg.Points(0.8)},
	} {
		c.StrokeLine2(style, x, y0, x, y1)
		for _, end := range []struct {
			y   vg.Length
			cut bool
			in  vg.Length
		}{{y0, lo < p.Y.Min, cap}, {y1, hi > p.Y.Max, -cap}} {
			if end.cut {
				c.StrokeLines(style, []vg.Point{{X: x - cap, Y: end.y + end.in}, {X: x, Y: end.y},
					{X: x + cap, Y: end.y + end.in}})
			} else {
				c.StrokeLine2(style, x-cap, end.y, x+cap, end.y)
			}
		}
	}
}

// DataRange implements plot.DataRanger: from zero, with room above. What is below zero of values
// that are not is no range.
func (b bars) DataRange() (xmin, xmax, ymin, ymax float64) {
	for _, s := range b.series {
		xmax = float64(len(s.Y)) - 0.5
	}
	s := spanOf(b.series, false, true)
	if !(s.lo < s.hi) {
		s.lo, s.hi = 0, 1
	}
	room := float64(0.05 * (s.hi - s.lo))
	if ymin, ymax = s.lo-room, s.hi+room; s.lo == 0 {
		ymin = 0
	}
	if s.hi == 0 {
		ymax = 0
	}
	return -0.5, xmax, ymin, ymax
}

// named puts a name at 0, 1, 2, ...
type named []string

// Ticks implements plot.Ticker.
func (n named) Ticks(lo, hi float64) []plot.Tick {
	var ticks []plot.Tick
	for i, s := range n {
		if v := float64(i); v >= lo && v <= hi {
			ticks = append(ticks, plot.Tick{Value: v, Label: s})
		}
	}
	return ticks
}
