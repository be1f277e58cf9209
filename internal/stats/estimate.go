package stats

import (
	"fmt"
	"math"
	"slices"
)

// Grid holds the numbers of one policy: a row per training seed, a column per window of jobs, all
// rows equally long. A policy that was not trained has one row.
type Grid [][]float64

// Pool gives all numbers together.
func (g Grid) Pool() []float64 { return slices.Concat(g...) }

// Estimate gives the interval of a statistic of policies that were trained with several seeds and
// ran on the same windows, at least two of them or several seeds. Spread comes from the seeds of
// every grid, each grid on its own, and from the windows, the same for all rows of all grids: pairs
// stay pairs. Each is the jackknife's with its own quantile of Student's distribution, and the
// squares are added, so that two or three seeds give a wide interval. A grid of one row is taken as
// it is. What seeds and windows do only together counts in both: where it is most of the spread,
// the interval is up to 1.4 times as wide as it need be.
//
// A window with a number that is not finite is dropped with a warning. Interval.N counts windows.
// Grids of different widths are an error.
func Estimate(grids []Grid, scale Scale, stat func([]Grid) float64) (Interval, error) {
	iv := none(math.NaN(), 0)
	if err := check(grids); err != nil {
		return iv, err
	}
	clean := finiteColumns(grids)
	iv.N = len(clean[0][0])
	if dropped := len(grids[0][0]) - iv.N; dropped > 0 {
		iv.Warnings = append(iv.Warnings, fmt.Errorf("%d of %d windows have a number that is not finite and "+
			"were dropped", dropped, len(grids[0][0])))
	}
	if iv.N == 0 {
		iv.few()
		return iv, nil
	}
	iv.Point = stat(clean)
	var sources [][]float64
	for i, g := range clean {
		if len(g) > 1 {
			sources = append(sources, withoutSeeds(clean, i, stat))
		}
	}
	if len(sources) == 0 {
		iv.Warnings = append(iv.Warnings, fmt.Errorf("one seed states nothing of others"))
	}
	if iv.N > 1 {
		sources = append(sources, withoutWindows(clean, stat))
	}
	if len(sources) == 0 {
		iv.few()
		return iv, nil
	}
	iv.jackknifed(scale, sources)
	return iv, nil
}

// withoutSeeds gives the statistic without each seed of a grid in turn.
func withoutSeeds(of []Grid, i int, stat func([]Grid) float64) []float64 {
	out, some := make([]float64, len(of[i])), slices.Clone(of)
	for k := range out {
		some[i] = slices.Concat(of[i][:k], of[i][k+1:])
		out[k] = stat(some)
	}
	return out
}

// withoutWindows gives the statistic without each window in turn.
func withoutWindows(of []Grid, stat func([]Grid) float64) []float64 {
	out, some := make([]float64, len(of[0][0])), make([]Grid, len(of))
	for i, g := range of {
		for _, row := range g {
			some[i] = append(some[i], slices.Clone(row[1:]))
		}
	}
	for w := range out {
		out[w] = stat(some)
		for i, g := range of {
			for k, row := range g {
				if w+1 < len(row) {
					some[i][k][w] = row[w]
				}
			}
		}
	}
	return out
}

// check checks the shapes.
func check(grids []Grid) error {
	if len(grids) == 0 || len(grids[0]) == 0 {
		return fmt.Errorf("stats: two levels of no policy or of no seed")
	}
	for i, g := range grids {
		if len(g) == 0 {
			return fmt.Errorf("stats: policy %d has no seed", i)
		}
		for k, row := range g {
			if len(row) != len(grids[0][0]) {
				return fmt.Errorf("stats: seed %d of policy %d has %d windows, expected %d", k, i, len(row),
					len(grids[0][0]))
			}
		}
	}
	return nil
}

// finiteColumns leaves out the windows in which a number is not finite.
func finiteColumns(grids []Grid) []Grid {
	var keep []int
	for w := range grids[0][0] {
		fine := true
		for _, g := range grids {
			for _, row := range g {
				fine = fine && !math.IsNaN(row[w]) && !math.IsInf(row[w], 0)
			}
		}
		if fine {
			keep = append(keep, w)
		}
	}
	out := make([]Grid, len(grids))
	for i, g := range grids {
		for _, row := range g {
			out[i] = append(out[i], pick(row, keep))
		}
	}
	return out
}

func pick(row []float64, columns []int) []float64 {
	out := make([]float64, len(columns))
	for i, c := range columns {
		out[i] = row[c]
	}
	return out
}
