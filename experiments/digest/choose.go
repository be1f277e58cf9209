package digest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/experiments/sweep"
)

// chosenMark stands behind the name of a series that validation chose, and chosenKey below its
// table.
const (
	chosenMark = "†"
	chosenKey  = "† the form that validation chose"
	chosenHere = "† the form that validation chose there"
)

// Chosen gives the part of a book that tables and figures show where schedulers stand in several
// forms, families of names on the axis of series, the plain form first: rows that are not of
// validation and, of each family, the plain form and the one with the least geometric mean of a
// metric over the rows of validation, marked as chosen. Families without rows of validation are
// shown whole; other series always.
func (b *Book) Chosen(x, series, metric string, families [][]string, validates func(c *sweep.Cell) bool) (*Book,
	error) {
	validation := b.Where(validates)
	var chosen, out []string
	seen := validation.Values(series)
	for _, f := range families {
		forms := slices.DeleteFunc(slices.Clone(f), func(form string) bool { return !slices.Contains(seen, form) })
		if len(forms) == 0 {
			continue
		}
		best, err := validation.least(x, series, metric, forms)
		if err != nil {
			return nil, fmt.Errorf("choosing among %q on validation: %w", f, err)
		}
		chosen = append(chosen, best)
		for _, form := range f[1:] {
			if form != best {
				out = append(out, form)
			}
		}
	}
	shown := b.Where(func(c *sweep.Cell) bool { return !validates(c) }).without(series, out)
	shown.chosen = chosen
	if len(chosen) > 0 {
		shown.said = []string{strings.Join(chosen, ", ")}
	}
	return shown, nil
}

// ChosenAt is as Chosen with a choice at each value of X by itself. All forms are shown, since
// chosen forms may differ along X; the mark stands behind the numbers of chosen ones.
func (b *Book) ChosenAt(x, series, metric string, families [][]string, validates func(c *sweep.Cell) bool) (*Book,
	error) {
	shown := b.Where(func(c *sweep.Cell) bool { return !validates(c) })
	shown.chosenAt = map[[2]string]bool{}
	for _, at := range shown.Values(x) {
		here, err := b.Where(func(c *sweep.Cell) bool { return c.Axes[x] == at }).Chosen(x, series, metric, families,
			validates)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", x, at, err)
		}
		for _, form := range here.chosen {
			shown.chosenAt[[2]string{at, form}] = true
		}
		if len(here.chosen) > 0 {
			shown.said = append(shown.said, "at "+at+" "+strings.Join(here.chosen, ", "))
		}
	}
	return shown, nil
}

// least names, of some series, the one with the least geometric mean of a metric over all values of
// X and units that all of them have; of equal ones the earlier. A metric with a number of 0 or
// less, or without a unit that all have, is an error.
func (b *Book) least(x, series, metric string, among []string) (string, error) {
	t, err := b.table(x, series, metric)
	if err != nil {
		return "", err
	}
	sums, n := make([]float64, len(among)), 0
	for at := range t.X {
		cells := make([]*cell, len(among))
		for i, name := range among {
			if s := slices.Index(t.Series, name); s >= 0 {
				cells[i] = t.cells[place{at, s}]
			}
		}
		if slices.Contains(cells, nil) {
			continue
		}
		units := cells[0].units
		for _, c := range cells[1:] {
			units = both(units, c.units)
		}
		for i, c := range cells {
			rows := c.grid(c.seeds, units)
			for _, row := range rows {
				for _, v := range row {
					sums[i] += math.Log(v) / float64(len(rows))
				}
			}
		}
		n += len(units)
	}
	if n == 0 {
		return "", fmt.Errorf("%s: no unit has a number for each of %q", metric, among)
	}
	best := 0
	for i, sum := range sums {
		if math.IsNaN(sum) || math.IsInf(sum, 0) {
			return "", fmt.Errorf("%s of %s has a number of 0 or less, or none, expected numbers above 0", metric,
				among[i])
		}
		if sum < sums[best] {
			best = i
		}
	}
	return among[best], nil
}

// without is the part of a book without some values of an axis.
func (b *Book) without(axisName string, values []string) *Book {
	part := *b
	part.rows = nil
	for _, r := range b.rows {
		if c, ok := b.d.Cell(r.Keys); ok && !slices.Contains(values, axis(&c, r.Keys, axisName)) {
			part.rows = append(part.rows, r)
		}
	}
	return &part
}
