package digest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/internal/stats"
	"tarry/output/figure"
)

// Summary is a row per series over all values of X: how many there are, on how many the difference
// to the base has an interval below 0, and a mean of at most -5 % and -10 % with that; on how many
// the mean is above +2 %; the best and the worst, and the mean over the values with its 95 %
// interval.
func (p *Pages) Summary(metric string) (string, error) {
	t, err := p.table(metric)
	if err != nil {
		return "", err
	}
	all, err := t.Relative(p.Base)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %ss | interval below 0 | and mean <= -5 | and mean <= -10 | mean > +2 | best | worst | "+
		"mean of %ss |\n|---|%s\n",
		p.Series, p.X, p.X, strings.Repeat("---:|", 5)+"---|---|---:|")
	base := slices.Index(t.Series, p.Base)
	for _, one := range p.kept(slices.Clone(all)) {
		if one.Name == p.Base || !slices.ContainsFunc(one.Y, known) {
			continue
		}
		below := func(mean float64) int {
			return count(one, func(y, hi float64) bool { return hi < 0 && y <= mean })
		}
		iv := t.overall(slices.Index(t.Series, one.Name), base)
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %s | %s | %s |\n", t.shown(one.Name),
			count(one, func(y, _ float64) bool { return known(y) }),
			below(math.Inf(1)), below(-5), below(-10), count(one, func(y, _ float64) bool { return y > 2 }),
			t.extreme(one, func(a, b float64) bool { return a < b }),
			t.extreme(one, func(a, b float64) bool { return a > b }), number(iv.Point, iv.Lo, iv.Hi, 1))
	}
	return b.String() + t.averages() + t.key(b.String()), nil
}

// count is how many points are such.
func count(s figure.Series, such func(y, hi float64) bool) int {
	n := 0
	for i, y := range s.Y {
		if such(y, s.Hi[i]) {
			n++
		}
	}
	return n
}

// extreme names the value of X whose point comes before all others, with its number.
func (t *Table) extreme(s figure.Series, before func(a, b float64) bool) string {
	at := -1
	for i, y := range s.Y {
		if known(y) && (at < 0 || before(y, s.Y[at])) {
			at = i
		}
	}
	return fmt.Sprintf("`%s` %s", t.X[at], number(s.Y[at], s.Lo[at], s.Hi[at], 1))
}

// overall is the mean over the values of X of the difference to the base in per cent, with
// Student's interval over them; with one of them it is that difference.
func (t *Table) overall(series, base int) stats.Interval {
	var all []stats.Interval
	var points []float64
	for x := range t.X {
		c, with := t.cells[place{x, series}], t.cells[place{x, base}]
		if c == nil || with == nil {
			continue
		}
		if a, b := complete(c, with); len(a) > 0 {
			iv, err := stats.Percent(a, b)
			if err != nil { // grids of different widths: they are made over the same units
				continue
			}
			all, points = append(all, iv), append(points, iv.Point)
		}
	}
	switch len(all) {
	case 0:
		return nothing()
	case 1:
		return all[0]
	}
	return stats.Student(points).Snap(0, 100*stats.Relative)
}

// complete gives the numbers of two cells over the units that all seeds of both have.
func complete(c, with *cell) (a, b stats.Grid) {
	units := both(c.units, with.units)
	if len(units) == 0 {
		return nil, nil
	}
	a, b = c.grid(c.seeds, units), with.grid(with.seeds, units)
	var whole []string
	for i, u := range units {
		if !slices.ContainsFunc(slices.Concat(a, b), func(row []float64) bool { return !known(row[i]) }) {
			whole = append(whole, u)
		}
	}
	if len(whole) == 0 {
		return nil, nil
	}
	return c.grid(c.seeds, whole), with.grid(with.seeds, whole)
}
