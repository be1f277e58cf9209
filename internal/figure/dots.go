package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Dots draws groups of points with error bars, one colour and shape per series. Unlike a bar, which starts at zero, a
// point has its place on a logarithmic axis, too. Values that have none there (not above 0) are left out, and ends of
// intervals are cut off at the axis.
func Dots(title string, y Axis, groups []string, series []Series) (*Figure, error) {
	f := newFigure(title, Axis{}, y)
	f.Header = []string{"group", "series", "value", "lo", "hi"}
	if len(groups) == 0 || len(series) == 0 {
		return nil, fmt.Errorf("figure: dots %q: %d groups of %d series", title, len(groups), len(series))
	}
	d := dots{series: series, log: y.Log}
	for i, s := range series {
		if err := s.check(len(groups)); err != nil {
			return nil, fmt.Errorf("figure: dots %q: %w", title, err)
		}
		f.legend = append(f.legend, legendEntry{name: s.Name, line: lineStyle(i), shape: shape(i)})
	}
	for g, name := range groups {
		for _, s := range series {
			lo, hi, _ := s.bounds(g)
			f.row(name, s.Name, s.Y[g], lo, hi)
		}
	}
	if !d.any() {
		return nil, fmt.Errorf("figure: dots %q: no point to draw in %d series", title, len(series))
	}
	g := plotter.NewGrid()
	g.Vertical, g.Horizontal = draw.LineStyle{}, thin(0xDD)
	f.plot.Add(g, d)
	f.plot.X.Tick.Marker = named(groups)
	f.plot.X.Tick.Length, f.plot.X.LineStyle = 0, thin(0)
	f.slant(groups)
	f.fix(Axis{}, y)
	return f, nil
}

// shape of the i-th series' points: five shapes and seven colours are prime to each other.
func shape(i int) draw.GlyphDrawer {
	shapes := [...]draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{}}
	return shapes[i%len(shapes)]
}

type dots struct {
	series []Series
	log    bool
}

func (d dots) fits(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!d.log || v > 0)
}

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
				style := draw.LineStyle{Color: okabeIto(i), Width: vg.Points(1)}
				y0, y1 := ty(max(lo, p.Y.Min)), ty(min(hi, p.Y.Max))
				c.StrokeLine2(style, x, y0, x, y1)
				c.StrokeLine2(style, x-1.5, y0, x+1.5, y0)
				c.StrokeLine2(style, x-1.5, y1, x+1.5, y1)
			}
			c.DrawGlyph(draw.GlyphStyle{Color: okabeIto(i), Radius: vg.Points(2.2), Shape: shape(i)}, vg.Point{X: x, Y: ty(v)})
		}
	}
}

// DataRange implements plot.DataRanger: points and, where the axis can show them, the ends of their intervals.
func (d dots) DataRange() (xmin, xmax, ymin, ymax float64) {
	ymin, ymax = math.Inf(1), math.Inf(-1)
	least := math.Inf(1)
	for _, s := range d.series {
		for g, v := range s.Y {
			if !d.fits(v) {
				continue
			}
			least, ymin, ymax = min(least, v), min(ymin, v), max(ymax, v)
			if lo, hi, ok := s.bounds(g); ok {
				ymax = max(ymax, hi)
				if d.fits(lo) {
					ymin = min(ymin, lo)
				}
			}
		}
		xmax = float64(len(s.Y)) - 0.5
	}
	if d.log { // an interval that nearly reaches 0 must not flatten everything else
		ymin = max(ymin, least/3)
		return -0.5, xmax, ymin / 1.15, ymax * 1.15
	}
	room := max(float64(0.05*(ymax-ymin)), math.SmallestNonzeroFloat64)
	if ymin == ymax {
		room = 1
	}
	return -0.5, xmax, ymin - room, ymax + room
}
