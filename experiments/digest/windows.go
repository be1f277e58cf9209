package digest

import (
	"fmt"
	"math"
	"slices"

	"tarry/internal/stats"
	"tarry/output/figure"
)

// WindowProfile draws performance profiles of policies on the same windows: steps over the factor
// to the least mean of all, from 1 to the largest factor but at most 10. of holds for each name a
// row per training seed with a value per window; windows on which one of them has no number are
// left out. Bands are stats.Estimate's. Grids of different widths, and no common window, are
// errors.
func WindowProfile(what string, names []string, of [][][]float64) (*figure.Figure, error) {
	ratios, err := windowRatios(of)
	if err != nil {
		return nil, err
	}
	taus := jumps([][]stats.Grid{ratios})
	last := taus[len(taus)-1]
	series := make([]figure.Series, len(names))
	seeds := 1
	for i, name := range names {
		one := figure.Series{Name: name, X: taus, Step: true}
		seeds = max(seeds, len(ratios[i]))
		for _, tau := range taus {
			iv, err := stats.Estimate([]stats.Grid{ratios[i]}, stats.Share,
				func(g []stats.Grid) float64 { return within(g, tau) })
			if err != nil {
				return nil, err
			}
			one.Y, one.Lo, one.Hi, one.N = append(one.Y, iv.Point), append(one.Lo, iv.Lo), append(one.Hi, iv.Hi),
				append(one.N, iv.N)
		}
		series[i] = one
	}
	f, err := figure.Lines("", figure.Axis{Label: what + " / least of all policies", Log: last > 3,
		Min: 1, Max: last},
		figure.Axis{Label: "share of windows", Max: 1.02}, series)
	if err == nil {
		n := len(ratios[0][0])
		f.Note = "Bands: 95 % intervals of proportions over " + sampleSize([2]int{n, n}, "windows") +
			overSeeds(seeds) + "."
	}
	return f, err
}

// overSeeds adds the training seeds, if there are several.
func overSeeds(seeds int) string {
	if seeds < 2 {
		return ""
	}
	return fmt.Sprintf(" and n=%d training seeds of what has several", seeds)
}

// windowRatios divides by the least mean over seeds of each window that all have.
func windowRatios(of [][][]float64) ([]stats.Grid, error) {
	if len(of) == 0 || len(of[0]) == 0 {
		return nil, fmt.Errorf("a profile of no policy")
	}
	var keep []int
	least := make([]float64, len(of[0][0]))
	for w := range least {
		least[w] = math.Inf(1)
		for _, g := range of {
			mean := 0.0
			for _, row := range g {
				if len(row) != len(least) {
					return nil, fmt.Errorf("a profile over %d and %d windows", len(least), len(row))
				}
				mean += row[w] / float64(len(g))
			}
			least[w] = min(least[w], mean) // NaN when any is
		}
		if least[w] > 0 && !math.IsInf(least[w], 0) {
			keep = append(keep, w)
		}
	}
	if len(keep) == 0 {
		return nil, fmt.Errorf("no window has a number of every policy")
	}
	out := make([]stats.Grid, len(of))
	for i, g := range of {
		for _, row := range g {
			ratios := make([]float64, 0, len(keep))
			for _, w := range keep {
				ratios = append(ratios, row[w]/least[w])
			}
			out[i] = append(out[i], slices.Clip(ratios))
		}
	}
	return out, nil
}
