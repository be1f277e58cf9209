package digest

import (
	"math"
	"slices"

	"tarry/output/figure"
)

// wide is the ratio of the largest value to the least from which the y axis is logarithmic.
const wide = 8

// sketch is how a picture is made from tables, of which it has a panel each.
type sketch struct {
	// values are what is drawn of a table.
	values func(t *Table) ([]figure.Series, error)
	// axes are the axes of all panels; s are the series of all.
	axes func(s []figure.Series) (x, y figure.Axis)
	// note states what the numbers are over.
	note func(t []*Table) string
	// draw, when set, draws a panel otherwise than as lines, bars or points.
	draw func(t *Table, x, y figure.Axis, s []figure.Series) (*figure.Figure, error)
}

// means is the sketch of means: lines where X is numeric with more than two values, else groups of
// bars, or of points on a logarithmic axis where the values lie far apart. log asks for a
// logarithmic x axis, which lines alone have.
func means(m Metric, xLabel string, log bool) sketch {
	return sketch{
		values: func(t *Table) ([]figure.Series, error) { return t.Means(), nil },
		axes: func(s []figure.Series) (x, y figure.Axis) {
			return figure.Axis{Label: xLabel, Log: log}, figure.Axis{Label: m.Label, Log: spread(s) > wide}
		},
		note: meansNote,
	}
}

// relative is the sketch of ratios to a base series, on a logarithmic axis with a line at 1, which
// is the base.
func relative(xLabel, base string, log bool) sketch {
	return sketch{
		values: func(t *Table) ([]figure.Series, error) {
			s, err := t.Relative(base)
			for i := range s {
				s[i].Y, s[i].Lo, s[i].Hi = ratios(s[i].Y), ratios(s[i].Lo), ratios(s[i].Hi)
			}
			if len(s) > 1 {
				s = slices.DeleteFunc(s, func(one figure.Series) bool { return one.Name == base })
			}
			return s, err
		},
		axes: func([]figure.Series) (x, y figure.Axis) {
			return figure.Axis{Label: xLabel, Log: log}, figure.Axis{Label: figure.RatioTo + base, Log: true,
				Marks: []figure.Mark{{At: 1, Name: base}}}
		},
		note: relativeNote,
	}
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

// ratios turns differences in per cent into ratios.
func ratios(of []float64) []float64 {
	out := make([]float64, len(of))
	for i, v := range of {
		out[i] = 1 + v/100
	}
	return out
}

// draw draws series over X.
func (t *Table) draw(x, y figure.Axis, s []figure.Series) (*figure.Figure, error) {
	if t.lines() {
		for i := range s {
			s[i] = ascending(s[i])
		}
		return figure.Lines("", x, y, s)
	}
	for i := range s {
		s[i].X = nil
	}
	groups := slices.Clone(t.X)
	for i, g := range groups {
		switch {
		case t.layout.X == "":
			groups[i] = " "
		case t.layout.shown != nil:
			groups[i] = t.layout.shown(g)
		}
	}
	if len(y.Marks) > 0 && len(groups)*(len(s)+2) <= figure.PageRows { // against a base
		return figure.Forest("", y, groups, s)
	}
	draw := figure.Bars
	if y.Log { // a bar starts at 0, which is not on a logarithmic axis
		draw = figure.Dots
	}
	f, err := draw("", y, groups, s)
	if err == nil && t.layout.X != "" {
		f.SetXLabel(x.Label)
	}
	return f, err
}
