package digest

import (
	"fmt"
	"slices"
	"strings"

	"tarry/output/figure"
	"tarry/output/results"
)

// maxPanels bounds the panels of a figure. Axes that would make more are averaged over.
const maxPanels = 12

// facet is a part of the rows: rows with these values of the axes that panels differ in.
type facet struct {
	values []string
	table  *Table
	book   *Book
}

// paint draws a figure, with a panel for each combination of the axes that it would otherwise
// average over, as far as there is room.
func (b *Book) paint(name, caption, x, series, metric string, sketch func(m Metric, log bool) sketch) {
	f, err := b.painted(caption, x, series, metric, sketch)
	b.star(f, series)
	b.add(name, caption, f, err)
}

func (b *Book) painted(caption, x, series, metric string, of func(m Metric, log bool) sketch) (*figure.Figure, error) {
	m, err := b.find(metric)
	if err != nil {
		return nil, err
	}
	axes, parts, err := b.facets(x, series, metric)
	if err != nil {
		return nil, err
	}
	how := of(m, b.log(parts[0].table))
	var tables []*Table
	var all []figure.Series
	values := make([][]figure.Series, len(parts))
	for i, p := range parts {
		if values[i], err = how.values(p.table); err != nil {
			return nil, err
		}
		tables, all = append(tables, p.table), append(all, values[i]...)
	}
	b.looks(series, all)
	xAxis, yAxis := how.axes(all)
	panels := make([]figure.Panel, len(parts))
	for i, p := range parts {
		b.looks(series, values[i])
		var f *figure.Figure
		if how.draw != nil {
			f, err = how.draw(p.table, xAxis, yAxis, values[i])
		} else {
			f, err = p.table.draw(xAxis, yAxis, values[i])
		}
		if err != nil {
			return nil, err
		}
		panels[i] = figure.Panel{Values: p.values, Figure: f}
	}
	f, err := figure.Facets(caption, axes, panels)
	if err != nil {
		return nil, err
	}
	f.SetTitle(caption)
	f.Note = how.note(tables)
	for _, a := range averagedOf(tables) {
		averagedOver(f, a)
	}
	return f, nil
}

// averagedOver reports in note and data that numbers are means over an axis.
func averagedOver(f *figure.Figure, a Averaged) {
	f.Note += fmt.Sprintf(" Averaged over %s=%s within each unit; --where %s=%s shows one.", a.Name,
		strings.Join(a.Values, "|"), a.Name, a.Values[0])
	f.Column("averaged_over_"+a.Name, strings.Join(a.Values, "|"))
}

// averagedOf joins what tables are averaged over.
func averagedOf(tables []*Table) []Averaged {
	var out []Averaged
	for _, t := range tables {
		for _, a := range t.Averaged {
			i := slices.IndexFunc(out, func(o Averaged) bool { return o.Name == a.Name })
			if i < 0 {
				i = len(out)
				out = append(out, Averaged{Name: a.Name})
			}
			for _, v := range a.Values {
				index(&out[i].Values, v)
			}
		}
	}
	return out
}

// facets splits the rows of a metric by axes of which a table would have to average; there is at
// least one part.
func (b *Book) facets(x, series, metric string) (axes []string, parts []facet, err error) {
	whole, err := b.table(x, series, metric)
	if err != nil {
		return nil, nil, err
	}
	if axes = split(whole.Averaged); len(axes) == 0 {
		return nil, []facet{{nil, whole, b}}, nil
	}
	byValues := map[string][]results.Trial{}
	var order [][]string
	for _, r := range b.rows {
		c, ok := b.d.Cell(r.Keys)
		if !ok {
			continue
		}
		values := make([]string, len(axes))
		for i, a := range axes {
			values[i] = c.Axes[a]
		}
		k := strings.Join(values, "\x00")
		if byValues[k] == nil {
			order = append(order, values)
		}
		byValues[k] = append(byValues[k], r)
	}
	for _, values := range order {
		part := *b
		part.rows = byValues[strings.Join(values, "\x00")]
		t, err := part.table(x, series, metric)
		if err != nil {
			continue // nothing measured there: the whole has numbers, so another part does
		}
		parts = append(parts, facet{values, t, &part})
	}
	return axes, parts, nil
}

// split chooses the axes of the panels: one after the other while there is room.
func split(of []Averaged) []string {
	var out []string
	n := 1
	for _, a := range of {
		if n*len(a.Values) <= maxPanels {
			n *= len(a.Values)
			out = append(out, a.Name)
		}
	}
	return out
}

// looks gives the series of a figure the appearance that they have in all figures of the book over
// this axis.
func (b *Book) looks(axis string, s []figure.Series) {
	for i, number := range b.appearances(axis, s) {
		s[i].Look = 1 + number
	}
}

// appearances are the appearances of names, with all series of the book beside them.
func (b *Book) appearances(axis string, s []figure.Series) []int {
	names := slices.Clone(b.out.names[axis])
	if names == nil {
		names = b.seriesNames(axis)
		b.out.names[axis] = names
	}
	for _, one := range s {
		if !slices.Contains(names, one.Name) {
			names = append(names, one.Name)
		}
	}
	by, out := figure.Appearances(names), make([]int, len(s))
	for i, one := range s {
		out[i] = by[one.Name]
	}
	return out
}

// seriesNames lists the series that the book's rows have over an axis.
func (b *Book) seriesNames(axisName string) []string {
	l := b.layout("", axisName, Metric{})
	names := []string{}
	for _, r := range b.out.rows {
		if c, ok := b.d.Cell(r.Keys); ok {
			index(&names, l.series(&c, r.Keys))
		}
	}
	return names
}
