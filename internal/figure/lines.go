package figure

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/plotter"
)

// Lines draws a line per series, with a band between Lo and Hi. Each series has its
// own X, ascending. A point that is NaN parts the line. On a logarithmic axis a band that reaches 0 ends at a third of the
// least value.
func Lines(title string, x, y Axis, series []Series) (*Figure, error) {
	f := newFigure(title, x, y)
	f.Header = []string{"series", "x", "y", "lo", "hi"}
	f.grid()
	for _, s := range series {
		if err := s.check(len(s.X)); err != nil {
			return nil, fmt.Errorf("figure: lines %q: %w", title, err)
		}
		for i := range s.X {
			lo, hi, _ := s.bounds(i)
			f.row(s.Name, s.X[i], s.Y[i], lo, hi)
		}
	}
	floor := least(series, y) / 3
	for i, s := range series { // all bands below all lines
		for _, run := range s.runs(x, y, true) {
			var edge plotter.XYs
			for _, k := range run {
				edge = append(edge, plotter.XY{X: s.X[k], Y: s.Hi[k]})
			}
			for j := len(run) - 1; j >= 0; j-- {
				lo := s.Lo[run[j]]
				if y.Log && lo < floor {
					lo = floor
				}
				edge = append(edge, plotter.XY{X: s.X[run[j]], Y: lo})
			}
			band, err := plotter.NewPolygon(edge)
			if err != nil {
				return nil, fmt.Errorf("figure: lines %q: band of %q: %w", title, s.Name, err)
			}
			c := okabeIto(i)
			band.Color, band.LineStyle.Width = faded{color.NRGBA{c.R, c.G, c.B, 56}, f}, 0
			f.plot.Add(band)
		}
	}
	drawn := false
	for i, s := range series {
		for _, run := range s.runs(x, y, false) {
			var pts plotter.XYs
			for _, k := range run {
				pts = append(pts, plotter.XY{X: s.X[k], Y: s.Y[k]})
			}
			line, err := plotter.NewLine(pts)
			if err != nil {
				return nil, fmt.Errorf("figure: lines %q: series %q: %w", title, s.Name, err)
			}
			line.LineStyle = lineStyle(i)
			f.plot.Add(line)
			drawn = true
		}
		f.legend = append(f.legend, legendEntry{name: s.Name, line: lineStyle(i)})
	}
	if !drawn {
		return nil, fmt.Errorf("figure: lines %q: no point to draw in %d series", title, len(series))
	}
	f.fix(x, y)
	return f, nil
}

// runs gives the stretches of points that can be drawn: finite, and positive on a
// logarithmic axis.
func (s Series) runs(x, y Axis, band bool) (runs [][]int) {
	fits := func(v float64, a Axis) bool {
		return !math.IsNaN(v) && !math.IsInf(v, 0) && (!a.Log || v > 0)
	}
	open := false
	for i := range s.X {
		ok := fits(s.X[i], x) && fits(s.Y[i], y)
		if band {
			lo, hi, has := s.bounds(i)
			ok = ok && has && (y.Log || fits(lo, y)) && fits(hi, y)
		}
		if ok && !open {
			runs = append(runs, nil)
		}
		if ok {
			runs[len(runs)-1] = append(runs[len(runs)-1], i)
		}
		open = ok
	}
	return runs
}

// least is the least value that the axis can show.
func least(series []Series, y Axis) float64 {
	out := math.Inf(1)
	for _, s := range series {
		for _, v := range s.Y {
			if !math.IsNaN(v) && (!y.Log || v > 0) {
				out = min(out, v)
			}
		}
	}
	return out
}
