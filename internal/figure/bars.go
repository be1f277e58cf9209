package figure

import (
	"fmt"
	"image/color"
	"math"

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
}

func (s Series) check(n int) error {
	switch {
	case s.X != nil && len(s.X) != n:
		return fmt.Errorf("series %q has %d positions, want %d", s.Name, len(s.X), n)
	case len(s.Y) != n:
		return fmt.Errorf("series %q has %d values, want %d", s.Name, len(s.Y), n)
	case s.Lo != nil && len(s.Lo) != n || s.Hi != nil && len(s.Hi) != n || (s.Lo == nil) != (s.Hi == nil):
		return fmt.Errorf("series %q has %d lower and %d upper bounds, want %d or none", s.Name, len(s.Lo), len(s.Hi), n)
	}
	return nil
}

func (s Series) bounds(i int) (lo, hi float64, ok bool) {
	if s.Lo == nil {
		return math.NaN(), math.NaN(), false
	}
	lo, hi = s.Lo[i], s.Hi[i]
	return lo, hi, !math.IsNaN(lo) && !math.IsNaN(hi) && !math.IsInf(lo, 0) && !math.IsInf(hi, 0)
}

// Bars draws groups of bars from zero, one colour per series, with error bars.
// Several groups: metrics, loads; several series: policies.
func Bars(title string, y Axis, groups []string, series []Series) (*Figure, error) {
	f := newFigure(title, Axis{}, Axis{Label: y.Label})
	f.Header = []string{"group", "series", "value", "lo", "hi"}
	if len(groups) == 0 || len(series) == 0 {
		return nil, fmt.Errorf("figure: bars %q: %d groups of %d series", title, len(groups), len(series))
	}
	for _, s := range series {
		if err := s.check(len(groups)); err != nil {
			return nil, fmt.Errorf("figure: bars %q: %w", title, err)
		}
	}
	for g, name := range groups {
		for _, s := range series {
			lo, hi, _ := s.bounds(g)
			f.row(name, s.Name, s.Y[g], lo, hi)
		}
	}
	g := plotter.NewGrid()
	g.Vertical, g.Horizontal = draw.LineStyle{}, thin(0xDD)
	f.plot.Add(g, bars(series))
	f.plot.X.Tick.Marker = named(groups)
	f.plot.X.Tick.Length, f.plot.X.LineStyle = 0, thin(0)
	f.slant(groups)
	if len(series) > 1 {
		for i, s := range series {
			f.legend = append(f.legend, legendEntry{name: s.Name, line: lineStyle(i), filled: true})
		}
	}
	f.fix(Axis{}, y)
	return f, nil
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
type bars []Series

// groupWidth is the part of a group's unit that its bars fill.
const groupWidth = 0.8

// Plot implements plot.Plotter.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	w := groupWidth / float64(len(b))
	for i, s := range b {
		for g, v := range s.Y {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			left := float64(g) - groupWidth/2 + float64(float64(i)*w)
			x0, x1 := tx(left), tx(left+w*0.94)
			y0, y1 := ty(max(0, p.Y.Min)), ty(min(v, p.Y.Max))
			box := []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
			c.FillPolygon(okabeIto(i), c.ClipPolygonXY(box))
			if lo, hi, ok := s.bounds(g); ok {
				errorBar(c, (x0+x1)/2, ty(max(lo, p.Y.Min)), ty(min(hi, p.Y.Max)), min((x1-x0)/3, 3))
			}
		}
	}
}

// errorBar has a white edge, so that it is seen on dark bars.
func errorBar(c draw.Canvas, x, lo, hi, cap vg.Length) {
	for _, style := range []draw.LineStyle{
		{Color: color.White, Width: vg.Points(2)}, {Color: color.Black, Width: vg.Points(0.8)},
	} {
		c.StrokeLine2(style, x, lo, x, hi)
		c.StrokeLine2(style, x-cap, lo, x+cap, lo)
		c.StrokeLine2(style, x-cap, hi, x+cap, hi)
	}
}

// DataRange implements plot.DataRanger: from zero, with room above.
func (b bars) DataRange() (xmin, xmax, ymin, ymax float64) {
	for _, s := range b {
		for g, v := range s.Y {
			if lo, hi, ok := s.bounds(g); ok {
				ymin, ymax = min(ymin, lo), max(ymax, hi)
			}
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				ymin, ymax = min(ymin, v), max(ymax, v)
			}
		}
		xmax = float64(len(s.Y)) - 0.5
	}
	if ymin == ymax {
		ymax = 1
	}
	return -0.5, xmax, ymin * 1.05, ymax * 1.05
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
