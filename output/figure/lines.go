package figure

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// fewPoints is up to how many points of a line have markers: more would hide its dashes.
const fewPoints = 12

// mostLines is how many lines have colours and names; more are grey, and the note counts them.
const mostLines = 8

// below gives the order in which n lines are drawn: grey ones lie below.
func below(n int) []int {
	var out []int
	for i := mostLines; i < n; i++ {
		out = append(out, i)
	}
	for i := range min(n, mostLines) {
		out = append(out, i)
	}
	return out
}

// greyLine is the line of a series beyond mostLines.
func greyLine() draw.LineStyle { return draw.LineStyle{Color: color.Gray{0xA8}, Width: vg.Points(0.6)} }

// Lines draws a line per series, with a band between Lo and Hi. Each series has its
// own X, ascending. A point that is NaN parts the line; one of 0 or less on a logarithmic axis is a
// triangle at the edge. A band ends where the axis does, which is not beyond what leaves the lines to
// be seen (see spanOf), with an arrow. Names stand at the ends of lines where there is room, else in
// the legend.
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
	bright := series[:min(len(series), mostLines)]
	for i, s := range bright { // all bands below all lines
		if runs := s.runs(x, y, true); len(runs) > 0 {
			f.plot.Add(bandPlot{f, s, runs, paint(look[i]), shown})
		}
	}
	f.mark(y)
	if err := f.threads(bright, look, x, y); err != nil {
		return nil, fmt.Errorf("figure: lines %q: %w", title, err)
	}
	drawn := false
	for _, i := range below(len(series)) {
		any, err := f.oneLine(series[i], i, len(series), look[i], x, y)
		if err != nil {
			return nil, fmt.Errorf("figure: lines %q: series %q: %w", title, series[i].Name, err)
		}
		drawn = drawn || any
	}
	if !drawn {
		return nil, fmt.Errorf("figure: lines %q: no point to draw in %d series", title, len(series))
	}
	f.plot.Add(endMarks{f})
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

// threads draws the members of series as hairlines.
func (f *Figure) threads(series []Series, look []int, x, y Axis) error {
	for i, s := range series {
		for _, m := range s.Members {
			thread := draw.LineStyle{Color: pale(paint(look[i]), 0.6), Width: vg.Points(0.4)}
			if _, err := f.line(Series{X: s.X, Y: m.Y}, x, y, thread, nil); err != nil {
				return fmt.Errorf("%s of %q: %w", m.Name, s.Name, err)
			}
		}
	}
	return nil
}

// oneLine draws series i of n, and keeps where its name goes. From mostLines on it is grey and has no
// name.
func (f *Figure) oneLine(s Series, i, n, look int, x, y Axis) (drawn bool, err error) {
	if i >= mostLines {
		f.grey++
		return f.line(s, x, y, greyLine(), nil)
	}
	var marker draw.GlyphDrawer
	if len(s.X) <= fewPoints && n > 1 {
		marker = shape(look)
	}
	if drawn, err = f.line(s, x, y, lineStyle(look), marker); err != nil {
		return false, err
	}
	entry := legendEntry{name: s.Name, line: lineStyle(look), dotted: marker, mark: shape(look)}
	f.legend = append(f.legend, entry)
	for k := len(s.X) - 1; k >= 0; k-- {
		if fits(s.X[k], x.Log) && fits(s.Y[k], y.Log) {
			f.ends = append(f.ends, end{entry, s.X[k], s.Y[k]})
			break
		}
	}
	if at := f.edges(s, func(k int) float64 { return s.X[k] }, x.Log, y.Log, paint(look)); at != nil {
		f.plot.Add(at)
	}
	return drawn, nil
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
