package digest

import (
	"slices"

	"tarry/internal/figure"
)

// Draw draws the means over the layout's X: lines where X is numeric with more than one value, else groups of bars.
// log asks for a logarithmic x axis, which lines alone have.
func (t *Table) Draw(title, xLabel string, log bool) (*figure.Figure, error) {
	return t.draw(title, figure.Axis{Label: xLabel, Log: log}, figure.Axis{Label: t.layout.Metric.Label}, t.Means())
}

// DrawRelative draws the differences to the base in per cent.
func (t *Table) DrawRelative(title, xLabel, base string, log bool) (*figure.Figure, error) {
	s, err := t.Relative(base)
	if err != nil {
		return nil, err
	}
	return t.draw(title, figure.Axis{Label: xLabel, Log: log}, figure.Axis{Label: "against " + base + " (%)"}, s)
}

func (t *Table) draw(title string, x, y figure.Axis, s []figure.Series) (*figure.Figure, error) {
	_, numeric := t.Numbers()
	if numeric && len(t.X) > 1 {
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
		}
	}
	return figure.Bars(title, y, groups, s)
}
