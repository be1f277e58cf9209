package digest

import (
	"math"
	"slices"

	"tarry/internal/figure"
)

// wide is the ratio of the largest value to the least from which the y axis is logarithmic.
const wide = 8

// Draw draws the means over the layout's X: lines where X is numeric with more than two values, else groups of bars, or of
// points on a logarithmic axis where the values lie far apart. log asks for a logarithmic x axis, which lines alone have.
func (t *Table) Draw(title, xLabel string, log bool) (*figure.Figure, error) {
	s := t.Means()
	return t.draw(title, figure.Axis{Label: xLabel, Log: log}, figure.Axis{Label: t.layout.Metric.Label, Log: spread(s) > wide}, s)
}

// DrawRelative draws the differences to the base in per cent; as ratios on a logarithmic axis where some are large.
func (t *Table) DrawRelative(title, xLabel, base string, log bool) (*figure.Figure, error) {
	s, err := t.Relative(base)
	if err != nil {
		return nil, err
	}
	x, y := figure.Axis{Label: xLabel, Log: log}, figure.Axis{Label: "against " + base + " (%)"}
	if largest(s) > 100 {
		for i := range s {
			s[i].Y, s[i].Lo, s[i].Hi = ratios(s[i].Y), ratios(s[i].Lo), ratios(s[i].Hi)
		}
		y = figure.Axis{Label: "relative to " + base, Log: true}
	}
	return t.draw(title, x, y, s)
}

// spread is the largest value over the least; 0 where a value is not above 0.
func spread(s []figure.Series) float64 {
	lo, hi := math.Inf(1), 0.0
	for i := range s {
		for _, v := range s[i].Y {
			if v <= 0 {
				return 0
			}
			if !math.IsNaN(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	return hi / lo
}

// largest is the largest value of all series.
func largest(s []figure.Series) float64 {
	m := 0.0
	for i := range s {
		for _, v := range s[i].Y {
			if v > m {
				m = v
			}
		}
	}
	return m
}

// ratios turns differences in per cent into ratios.
func ratios(of []float64) []float64 {
	out := make([]float64, len(of))
	for i, v := range of {
		out[i] = 1 + v/100
	}
	return out
}

func (t *Table) draw(title string, x, y figure.Axis, s []figure.Series) (*figure.Figure, error) {
	_, numeric := t.Numbers()
	if numeric && len(t.X) > 2 {
		for i := range s {
			s[i] = ascending(s[i])
		}
		return figure.Lines(title, x, y, s)
	}
	for i := range s {
		s[i].X = nil
	}
	groups := slices.Clone(t.X)
	for i, g := range groups {
		switch {
		case t.layout.X == "":
			groups[i] = " "
		case numeric: // bars have no label below: a bare number would say nothing
			groups[i] = x.Label + " " + g
		case t.layout.shown != nil:
			groups[i] = t.layout.shown(g)
		}
	}
	if y.Log { // a bar starts at 0, which is not on a logarithmic axis
		return figure.Dots(title, y, groups, s)
	}
	return figure.Bars(title, y, groups, s)
}
