package digest

import (
	"fmt"
	"math"
	"slices"

	"tarry/internal/stats"
	"tarry/output/figure"
	"tarry/sim/param"
)

// Means gives a series per value of the layout's Series: the mean over units with its 95 %
// interval, Student's on the logarithm, over training seeds too where there are several
// (stats.Estimate). A point of one unit has no interval. Units are members where they are few and
// no lines are drawn.
func (t *Table) Means() []figure.Series {
	out := t.series(func(p place, c *cell) stats.Interval {
		g := c.grid(c.seeds, c.units)
		if len(g) == 1 {
			return stats.Amounts(g[0])
		}
		return estimate(stats.Amount, func(g []stats.Grid) float64 { return stats.Mean(g[0].Pool()) }, g)
	})
	for p, c := range t.cells {
		if n := out[p.series].N[p.x]; t.lines() || n < 2 || n >= stats.Few {
			continue
		}
		if g := c.grid(c.seeds, c.units); len(g) == 1 {
			out[p.series].Singles(p.x, len(t.X), g[0])
		}
	}
	return out
}

// lines reports whether the points of a series are joined in pictures.
func (t *Table) lines() bool {
	_, numeric := t.Numbers()
	return numeric && len(t.X) > 2
}

// Relative gives, per series, the ratio of its mean to the base's minus one, in per cent, over the
// units that both have, with Student's 95 % interval of the ratio's logarithm over pairs. Below 0
// is less than the base, which is 0 itself.
func (t *Table) Relative(base string) ([]figure.Series, error) { return t.relativeAt(base, "") }

// relativeAt is Relative to the base's numbers at one value of X, "" = each at its own.
func (t *Table) relativeAt(base, at string) ([]figure.Series, error) {
	b, x := slices.Index(t.Series, base), slices.Index(t.X, at)
	switch {
	case b < 0:
		return nil, fmt.Errorf("no series is called %s%s", base, param.Hint(base, t.Series))
	case x < 0 && at != "":
		return nil, fmt.Errorf("%s has no value %s%s", t.layout.X, at, param.Hint(at, t.X))
	}
	return t.series(func(p place, c *cell) stats.Interval {
		to := place{p.x, b}
		if at != "" {
			to.x = x
		}
		with := t.cells[to]
		switch {
		case with == nil:
			return nothing()
		case p == to:
			return stats.Interval{Point: 0}
		}
		units := both(c.units, with.units)
		if len(units) == 0 {
			return nothing()
		}
		iv, err := stats.Percent(c.grid(c.seeds, units), with.grid(with.seeds, units))
		// grids of different widths: they are made over the same units; or the base's mean is 0
		if err != nil || math.IsInf(iv.Point, 0) {
			return nothing()
		}
		return iv
	}), nil
}

// series makes one series per value of the series' axis, its points in the order of X.
func (t *Table) series(point func(place, *cell) stats.Interval) []figure.Series {
	x, numeric := t.Numbers()
	out := make([]figure.Series, len(t.Series))
	for s, name := range t.Series {
		one := figure.Series{Name: name}
		if numeric {
			one.X = x
		}
		for i := range t.X {
			v := nothing()
			if c := t.cells[place{i, s}]; c != nil {
				v = point(place{i, s}, c)
			}
			if v.N < 2 {
				v.Lo, v.Hi = math.NaN(), math.NaN()
			}
			one.Y, one.Lo, one.Hi, one.N = append(one.Y, v.Point), append(one.Lo, v.Lo), append(one.Hi, v.Hi),
				append(one.N, v.N)
		}
		out[s] = one
	}
	return out
}

func nothing() stats.Interval {
	return stats.Interval{Point: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
}

// ascending orders the points of a series by x.
func ascending(s figure.Series) figure.Series {
	if s.X == nil || slices.IsSorted(s.X) {
		return s
	}
	order := make([]int, len(s.X))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case s.X[a] < s.X[b]:
			return -1
		case s.X[a] > s.X[b]:
			return 1
		}
		return 0
	})
	pick := func(of []float64) []float64 {
		out := make([]float64, len(of))
		for i, k := range order {
			out[i] = of[k]
		}
		return out
	}
	was := s
	s.X, s.Y, s.Lo, s.Hi, s.N = pick(s.X), pick(s.Y), pick(s.Lo), pick(s.Hi), nil
	for _, k := range order {
		if was.N != nil {
			s.N = append(s.N, was.N[k])
		}
	}
	return s
}

// grid gives the numbers as rows of seeds over units; equal rows (of a policy that no
// seed trained) are one.
func (c *cell) grid(seeds, units []string) stats.Grid {
	var out stats.Grid
	for _, s := range seeds {
		row := make([]float64, len(units))
		for i, u := range units {
			v, ok := c.at[[2]string{s, u}]
			if !ok {
				v = math.NaN()
			}
			row[i] = v
		}
		out = append(out, row)
	}
	if one := together(out); one != nil {
		return stats.Grid{one}
	}
	return out
}

// together makes one row of rows that have units in common and the same numbers there: one seed may
// have measured what another did not. nil = they differ.
func together(g stats.Grid) []float64 {
	one := slices.Clone(g[0])
	for _, row := range g[1:] {
		shared := 0
		for i, v := range row {
			switch {
			case math.IsNaN(v):
			case math.IsNaN(one[i]):
				one[i] = v
			case one[i] != v:
				return nil
			default:
				shared++
			}
		}
		if shared == 0 {
			return nil
		}
	}
	return one
}

// both lists what two lists share, in the order of the first.
func both(a, b []string) []string {
	var out []string
	for _, u := range a {
		if slices.Contains(b, u) {
			out = append(out, u)
		}
	}
	return out
}

// estimate gives the interval of a statistic of grids over the same units.
func estimate(scale stats.Scale, stat func([]stats.Grid) float64, g ...stats.Grid) stats.Interval {
	iv, err := stats.Estimate(g, scale, stat)
	if err != nil { // grids of different widths: they are made over the same units
		return nothing()
	}
	return iv
}
