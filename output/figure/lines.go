package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// fewPoints is up to how many points of a line have markers: more would hide its dashes.
const fewPoints = 12

// Lines draws a line per series, with a band between Lo and Hi. Each series has its
// own X, ascending. A point that is NaN parts the line. A band ends where the axis does, which
// is not beyond what leaves the lines to be seen (see spanOf).
func Lines(title string, x, y Axis, series []Series) (*Figure, error) {
	f := newFigure(title, x, y)
	f.grid()
	for _, s := range series {
		if err := s.check(len(s.X)); err != nil {
			return nil, fmt.Errorf("figure: lines %q: %w", title, err)
		}
	}
	f.lineRows(series)
	look := looks(series)
	shown := spanOf(series, y.Log, false)
	f.cut = shown.cut
	for i, s := range series { // all bands below all lines
		if err := f.band(s, look[i], x, y, shown); err != nil {
			return nil, fmt.Errorf("figure: lines %q: band of %q: %w", title, s.Name, err)
		}
	}
	f.mark(y)
	drawn := false
	for i, s := range series {
		for _, m := range s.Members {
			thread := draw.LineStyle{Color: pale(paint(look[i]), 0.6), Width: vg.Points(0.4)}
			if _, err := f.line(Series{X: s.X, Y: m.Y}, x, y, thread, nil); err != nil {
				return nil, fmt.Errorf("figure: lines %q: %s of %q: %w", title, m.Name, s.Name, err)
			}
		}
	}
	for i, s := range series {
		var marker draw.GlyphDrawer
		if len(s.X) <= fewPoints && len(series) > 1 {
			marker = shape(look[i])
		}
		any, err := f.line(s, x, y, lineStyle(look[i]), marker)
		if err != nil {
			return nil, fmt.Errorf("figure: lines %q: series %q: %w", title, s.Name, err)
		}
		drawn = drawn || any
		f.legend = append(f.legend, legendEntry{name: s.Name, line: lineStyle(look[i]), dotted: marker})
	}
	if !drawn {
		return nil, fmt.Errorf("figure: lines %q: no point to draw in %d series", title, len(series))
	}
	if f.plot.X.Min == f.plot.X.Max { // one position: a range around it
		at := f.plot.X.Min
		if f.plot.X.Min, f.plot.X.Max = at-max(1, math.Abs(at)/2), at+max(1, math.Abs(at)/2); x.Log {
			f.plot.X.Min, f.plot.X.Max = at/2, at*2
		}
	}
	if room := 0.03 * (f.plot.Y.Max - f.plot.Y.Min); !y.Log { // a line along the edge is hardly seen
		if f.plot.Y.Max += room; f.plot.Y.Min != 0 {
			f.plot.Y.Min -= room
		}
	}
	f.fix(x, y)
	return f, nil
}

// lineRows writes the data, members after the series that they are of.
func (f *Figure) lineRows(series []Series) {
	f.Header = []string{"series", "x", "y", "lo", "hi"}
	n := counted(series)
	if n {
		f.Header = append(f.Header, "n")
	}
	for _, s := range series {
		for i := range s.X {
			lo, hi, _ := s.bounds(i)
			f.row(s.count([]any{s.Name, s.X[i], s.Y[i], lo, hi}, i, n)...)
		}
		for _, m := range s.Members {
			for i, v := range m.Y {
				if !math.IsNaN(v) {
					f.row(Series{}.count([]any{s.Name + " " + m.Name, s.X[i], v, math.NaN(), math.NaN()}, i, n)...)
				}
			}
		}
	}
}

// band fills between the bounds, as far as the axis shows them.
func (f *Figure) band(s Series, look int, x, y Axis, shown span) error {
	for _, run := range s.runs(x, y, true) {
		var upper, lower plotter.XYs
		for j, k := range run {
			if s.Step && j > 0 { // the old value holds until here
				upper, lower = append(upper, plotter.XY{X: s.X[k], Y: upper[len(upper)-1].Y}),
					append(lower, plotter.XY{X: s.X[k], Y: lower[len(lower)-1].Y})
			}
			upper = append(upper, plotter.XY{X: s.X[k], Y: min(s.Hi[k], shown.hi)})
			lower = append(lower, plotter.XY{X: s.X[k], Y: max(s.Lo[k], shown.lo)})
		}
		slices.Reverse(lower)
		band, err := plotter.NewPolygon(append(upper, lower...))
		if err != nil {
			return err
		}
		c := paint(look)
		band.Color, band.LineStyle.Width = faded{color.NRGBA{c.R, c.G, c.B, 56}, f}, 0
		f.plot.Add(band)
	}
	return nil
}

// line draws the stretches that can be drawn, and reports whether there is one. A stretch of one
// point is a point.
func (f *Figure) line(s Series, x, y Axis, style draw.LineStyle, marker draw.GlyphDrawer) (drawn bool, err error) {
	for _, run := range s.runs(x, y, false) {
		var pts plotter.XYs
		for _, k := range run {
			pts = append(pts, plotter.XY{X: s.X[k], Y: s.Y[k]})
		}
		line, err := plotter.NewLine(pts)
		if err != nil {
			return drawn, err
		}
		if line.LineStyle = style; s.Step {
			line.StepStyle = plotter.PostStep
		}
		f.plot.Add(line)
		if at := marker; at != nil || len(run) == 1 {
			if at == nil {
				at = draw.CircleGlyph{}
			}
			dots, err := plotter.NewScatter(pts)
			if err != nil {
				return drawn, err
			}
			dots.GlyphStyle = draw.GlyphStyle{Color: style.Color, Radius: vg.Points(1.8), Shape: at}
			f.plot.Add(dots)
		}
		drawn = true
	}
	return drawn, nil
}

// runs gives the stretches of points that can be drawn: finite, and positive on a
// logarithmic axis.
func (s Series) runs(x, y Axis, band bool) (runs [][]int) {
	open := false
	for i := range s.X {
		ok := fits(s.X[i], x.Log) && fits(s.Y[i], y.Log)
		if band {
			lo, hi, has := s.bounds(i)
			ok = ok && has && (y.Log || fits(lo, y.Log)) && fits(hi, y.Log)
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
