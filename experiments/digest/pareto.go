package digest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/internal/stats"
	"tarry/output/figure"
)

// Base is what ratios are taken to: a series, "" = there are none, at one value of X or, "", at each.
type Base struct{ Series, At string }

func (b Base) name() string {
	if b.At == "" {
		return b.Series
	}
	return b.Series + ", " + b.At
}

// Pareto draws two metrics against each other, less of both being better: a point per series and
// value of x, with a stair through the points that no other is better than in both. With a base
// they are ratios to that series, in pairs, at the same
// value of x or at one. Points of several values of x are called after these,
// and the legend names their series. cost is the metric along the horizontal axis.
func (b *Book) Pareto(name, caption, x, series, cost, metric string, base Base) {
	f, err := b.pareto(caption, x, series, cost, metric, base)
	b.star(f, series)
	b.add(name, caption, f, err)
}

func (b *Book) pareto(caption, x, series, cost, metric string, base Base) (*figure.Figure, error) {
	var axes [2]figure.Axis
	for i, name := range [...]string{cost, metric} {
		m, err := b.find(name)
		if err != nil {
			return nil, err
		}
		if axes[i] = (figure.Axis{Label: m.Label}); base.Series != "" {
			axes[i].Label = unitless(m.Label) + " / " + base.name()
		}
	}
	by, parts, err := b.facets(x, series, metric)
	if err != nil {
		return nil, err
	}
	panels := make([]figure.Panel, len(parts))
	var tables []*Table
	var across, up []figure.Series
	points := make([][]figure.Cloud, len(parts))
	for i, p := range parts {
		of, err := p.book.table(x, series, cost)
		if err != nil {
			return nil, err
		}
		if points[i], err = b.clouds(series, of, p.table, base); err != nil {
			return nil, err
		}
		tables = append(tables, p.table)
		for _, c := range points[i] {
			across, up = append(across, figure.Series{Y: c.X}), append(up, c.Series)
		}
	}
	axes[0].Log, axes[1].Log = spread(across) > wide, spread(up) > wide
	for i, p := range parts {
		f, err := figure.Pareto("", axes[0], axes[1], points[i])
		if err != nil {
			return nil, err
		}
		panels[i] = figure.Panel{Values: p.values, Figure: f}
	}
	f, err := figure.Facets(caption, by, panels)
	if err != nil {
		return nil, err
	}
	f.SetTitle(caption)
	note := meansNote
	if base.Series != "" {
		note = relativeNote
	}
	f.Note = strings.TrimSpace(note(tables) + " " + f.Note)
	for _, a := range averagedOf(tables) {
		averagedOver(f, a)
	}
	return f, nil
}

// clouds pairs the numbers of two tables.
func (b *Book) clouds(axis string, cost, metric *Table, base Base) ([]figure.Cloud, error) {
	across, err := cost.towards(base)
	if err != nil {
		return nil, err
	}
	up, err := metric.towards(base)
	if err != nil {
		return nil, err
	}
	b.looks(axis, up)
	var out []figure.Cloud
	for _, s := range up {
		k := slices.IndexFunc(across, func(o figure.Series) bool { return o.Name == s.Name })
		if k < 0 {
			continue
		}
		c := figure.Cloud{Series: figure.Series{Name: s.Name, Look: s.Look}}
		for i, x := range metric.X {
			at := slices.Index(cost.X, x)
			if at < 0 || !known(s.Y[i]) || !known(across[k].Y[at]) {
				continue
			}
			c.X, c.Y, c.N = append(c.X, across[k].Y[at]), append(c.Y, s.Y[i]), append(c.N, s.N[i])
			c.XLo, c.XHi = append(c.XLo, across[k].Lo[at]), append(c.XHi, across[k].Hi[at])
			c.Lo, c.Hi, c.Points = append(c.Lo, s.Lo[i]), append(c.Hi, s.Hi[i]), append(c.Points, x)
		}
		if len(c.X) < 2 {
			c.Points = nil
		}
		if len(c.X) > 0 {
			out = append(out, c)
		}
	}
	return out, nil
}

// towards gives the means, or with a base the ratios to it, which is 1 in both directions.
func (t *Table) towards(base Base) ([]figure.Series, error) {
	if base.Series == "" {
		return t.Means(), nil
	}
	s, err := t.relativeAt(base.Series, base.At)
	for i := range s {
		s[i].Y, s[i].Lo, s[i].Hi = ratios(s[i].Y), ratios(s[i].Lo), ratios(s[i].Hi)
	}
	return s, err
}

// unitless is a label without the unit behind it.
func unitless(label string) string {
	text, _, _ := strings.Cut(label, " (")
	return text
}

// Front is the table of a Pareto figure: a row per series, or per series and value of X where there
// are several, and a column per metric: differences to the base in per cent, or means where there is
// no base; then a column per amount, means of what has no ratio to the base. The last column marks
// rows of the front of the first two metrics.
func (p *Pages) Front(metrics, amounts []string, digits int) (string, error) {
	var columns []*Table
	var values [][]figure.Series
	head := "| " + p.Series + " |"
	for i, name := range slices.Concat(metrics, amounts) {
		m, err := p.find(name)
		if err != nil {
			return "", err
		}
		t, err := p.table(name)
		if err != nil {
			return "", err
		}
		s := t.Means()
		if head += " " + m.Label + " |"; p.Base != "" && i < len(metrics) {
			if s, err = t.relativeAt(p.Base, p.At); err != nil {
				return "", err
			}
			head = strings.TrimSuffix(head, m.Label+" |") + unitless(m.Label) + " (%) |"
		}
		columns, values = append(columns, t), append(values, s)
	}
	var b strings.Builder
	b.WriteString(head + " front |\n|---|" + strings.Repeat("---:|", len(columns)) + ":---:|\n")
	rows := frontRows(columns, values)
	var x, y []float64
	for _, r := range rows {
		x, y = append(x, r.values[0].Point), append(y, r.values[1].Point)
	}
	front := figure.Front(x, y)
	for i, r := range rows {
		fmt.Fprintf(&b, "| %s |", r.name)
		for _, v := range r.values {
			b.WriteString(" " + number(v.Point, v.Lo, v.Hi, digits) + " |")
		}
		b.WriteString(map[bool]string{true: " yes |\n", false: "  |\n"}[front[i]])
	}
	return b.String() + columns[0].averages() + columns[0].overloads() + columns[0].key(b.String()), nil
}

// frontRow is a row of such a table.
type frontRow struct {
	name   string
	values []stats.Interval
}

// frontRows lists the points of the first table that have a number, with theirs in the others.
func frontRows(tables []*Table, values [][]figure.Series) []frontRow {
	first := tables[0]
	var out []frontRow
	for _, s := range values[0] {
		for i, x := range first.X {
			if !known(s.Y[i]) {
				continue
			}
			r := frontRow{name: first.shown(s.Name)}
			if len(first.X) > 1 {
				r.name += ", " + x
			}
			for k, t := range tables {
				v := stats.Interval{Point: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
				of := slices.IndexFunc(values[k], func(o figure.Series) bool { return o.Name == s.Name })
				if at := slices.Index(t.X, x); of >= 0 && at >= 0 {
					o := values[k][of]
					v = stats.Interval{Point: o.Y[at], Lo: o.Lo[at], Hi: o.Hi[at]}
				}
				r.values = append(r.values, v)
			}
			out = append(out, r)
		}
	}
	return out
}
