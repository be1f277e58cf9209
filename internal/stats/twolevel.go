package stats

import (
	"fmt"
	"math"
	"slices"

	"tarry/sim/rng"
)

// Grid holds the numbers of one policy: a row per training seed, a column per window of jobs, all
// rows equally long. A policy that was not trained has one row.
type Grid [][]float64

// Pool gives all numbers together.
func (g Grid) Pool() []float64 { return slices.Concat(g...) }

// TwoLevel gives the percentile bootstrap interval of a statistic of policies that were trained with
// several seeds and ran on the same windows. Each resample draws the seeds of every grid, each
// grid on its own, and then the windows, the same for all rows of all grids: pairs stay pairs. It is
// the pigeonhole bootstrap of Owen, "The pigeonhole bootstrap", Annals of Applied Statistics 1(2),
// 2007. A grid of one row is taken as it is.
//
// With few seeds the interval is too narrow: the variance between S seeds comes out (S-1)/S as large.
// A window with a number that is not finite is dropped with a warning. Interval.N counts
// windows. Grids of different widths are an error.
func TwoLevel(s *rng.Stream, grids []Grid, stat func([]Grid) float64, o Options) (Interval, error) {
	iv := Interval{Point: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	seeds, err := grid(grids)
	if err != nil {
		return iv, err
	}
	clean := finiteColumns(grids)
	iv.N = len(clean[0][0])
	if dropped := len(grids[0][0]) - iv.N; dropped > 0 {
		iv.Warnings = append(iv.Warnings, fmt.Errorf("%d of %d windows have a number that is not finite and were dropped", dropped, len(grids[0][0])))
	}
	if iv.N == 0 {
		iv.Warnings = append(iv.Warnings, fmt.Errorf("no values"))
		return iv, nil
	}
	iv.Point = stat(clean)
	switch {
	case seeds == 1:
		iv.Warnings = append(iv.Warnings, fmt.Errorf("one seed says nothing of others"))
	case seeds < fewSamples:
		iv.Warnings = append(iv.Warnings, fmt.Errorf("bootstrap of %d seeds: the interval is too narrow below %d", seeds, fewSamples))
	}
	if iv.Warnings = append(iv.Warnings, doubts(iv.N, o)...); iv.N < 2 && seeds < 2 {
		return iv, nil
	}
	draws := drawGrids(s, clean, stat, o.reps())
	alpha := (1 - o.level()) / 2
	iv.Lo, iv.Hi = Quantile(draws, alpha), Quantile(draws, 1-alpha)
	return iv, nil
}

// grid checks the shapes and gives the least number of seeds among the grids that have several; 1 if
// none has.
func grid(grids []Grid) (seeds int, err error) {
	if len(grids) == 0 || len(grids[0]) == 0 {
		return 0, fmt.Errorf("stats: two levels of no policy or of no seed")
	}
	seeds = math.MaxInt
	for i, g := range grids {
		if len(g) == 0 {
			return 0, fmt.Errorf("stats: policy %d has no seed", i)
		}
		for k, row := range g {
			if len(row) != len(grids[0][0]) {
				return 0, fmt.Errorf("stats: seed %d of policy %d has %d windows, expected %d", k, i, len(row), len(grids[0][0]))
			}
		}
		if len(g) > 1 {
			seeds = min(seeds, len(g))
		}
	}
	if seeds == math.MaxInt {
		seeds = 1
	}
	return seeds, nil
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
			out[i] = append(out[i], take(make([]float64, 0, len(keep)), row, keep))
		}
	}
	return out
}

// drawGrids gives the statistic of every resample, sorted.
func drawGrids(s *rng.Stream, from []Grid, stat func([]Grid) float64, reps int) []float64 {
	drawn := make([]Grid, len(from))
	for i, g := range from {
		for range g {
			drawn[i] = append(drawn[i], make([]float64, len(g[0])))
		}
	}
	columns, draws := make([]int, len(from[0][0])), make([]float64, reps)
	for r := range draws {
		for w := range columns {
			columns[w] = s.IntN(len(columns))
		}
		for i, g := range from {
			for k := range g {
				row := g[k]
				if len(g) > 1 {
					row = g[s.IntN(len(g))]
				}
				drawn[i][k] = take(drawn[i][k], row, columns)
			}
		}
		draws[r] = stat(drawn)
	}
	slices.Sort(draws)
	return draws
}
