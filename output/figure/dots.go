package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Dots draws groups of points with error bars, one colour and shape per series. Unlike a bar, which
// starts at zero, a point has its place on a logarithmic axis, too. Values that have none there
// (not above 0) are triangles at the edge, and ends of intervals are cut off at the axis.
func Dots(title string, y Axis, groups []string, series []Series) (*Figure, error) {
	f := newFigure(title, Axis{}, y)
	if len(groups) == 0 || len(series) == 0 {
		return nil, fmt.Errorf("figure: dots %q: %d groups of %d series", title, len(groups), len(series))
	}
	d := dots{series: series, look: looks(series), log: y.Log}
	for i, s := range series {
		if err := s.check(len(groups)); err != nil {
			return nil, fmt.Errorf("figure: dots %q: %w", title, err)
		}
		f.legend = append(f.legend, legendEntry{name: s.Name, line: lineStyle(d.look[i]), shape: shape(d.look[i])})
	}
	f.groupRows(groups, series)
	if !d.any() {
		return nil, fmt.Errorf("figure: dots %q: no point to draw in %d series", title, len(series))
	}
	g := plotter.NewGrid()
	g.Vertical, g.Horizontal = draw.LineStyle{}, thin(0xDD)
	f.plot.Add(g, d)
	f.cut = spanOf(series, y.Log, false).cut
	w := groupWidth / float64(len(series))
	for i, s := range series {
		at := f.edges(s, func(g int) float64 { return float64(g) - groupWidth/2 + float64((float64(i)+0.5)*w) }, false,
			y.Log, paint(d.look[i]))
		if at != nil {
			f.plot.Add(at)
		}
	}
	f.mark(y)
	f.plot.X.Tick.Marker = named(groups)
	f.plot.X.Tick.Length, f.plot.X.LineStyle = 0, thin(0)
	f.slant(groups)
	f.replace = func() { f.slant(groups) }
	f.fix(Axis{}, y)
	return f, nil
}

type dots struct {
	series []Series
	look   []int
	log    bool
}

func (d dots) fits(v float64) bool { return fits(v, d.log) }

func (d dots) any() bool {
	for _, s := range d.series {
		for _, v := range s.Y {
			if d.fits(v) {
				return true
			}
		}
	}
	return false
}

// Plot implements plot.Plotter.
func (d dots) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	w := groupWidth / float64(len(d.series))
	for i, s := range d.series {
		for g, v := range s.Y {
			if !d.fits(v) {
				continue
			}
			x := tx(float64(g) - groupWidth/2 + float64((float64(i)+0.5)*w))
			if lo, hi, ok := s.bounds(g); ok {
				if lo < 0 && p.Y.Min == 0 {
					lo = 0
				}
				errorBar(c, p, x, lo, hi, 1.5, paint(d.look[i]))
			}
			s.singles(c, p, g, x-vg.Points(3.5), paint(d.look[i]))
			c.DrawGlyph(draw.GlyphStyle{Color: paint(d.look[i]), Radius: vg.Points(2.2), Shape: shape(d.look[i])},
				vg.Point{X: x, Y: ty(v)})
		}
	}
}

// DataRange implements plot.DataRanger: points and, where the axis can show them, the ends of their
// intervals.
func (d dots) DataRange() (xmin, xmax, ymin, ymax float64) {
	for _, s := range d.series {
		xmax = float64(len(s.Y)) - 0.5
	}
	s := spanOf(d.series, d.log, false)
	if ymin, ymax = s.lo, s.hi; d.log {
		return -0.5, xmax, ymin / 1.15, ymax * 1.15
	}
	room := max(float64(0.05*(ymax-ymin)), math.SmallestNonzeroFloat64)
	if ymin == ymax {
		room = 1
	}
	return -0.5, xmax, ymin - room, ymax + room
}
