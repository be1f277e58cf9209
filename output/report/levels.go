package report

import (
	"math"
	"slices"
	"strconv"

	"tarry/internal/stats"
)

// bothLevels reports what intervals are over where agents were trained with several seeds; "" when
// there are none.
func (g *groups) bothLevels() string {
	for _, one := range g.by {
		if len(one.windows) > 0 {
			return " Where agents or tuned schedulers of several seeds met the same windows, intervals are over " +
				"both, seeds and windows."
		}
	}
	return ""
}

// window names the jobs that a run met.
func (r *run) window() string {
	return strconv.FormatInt(r.row.Replicate, 10) + " " + r.row.WorkloadSHA256
}

// twoLevels lets intervals of a setting be over seeds and windows, when something in it was trained
// or tuned and all that is in it met the same windows.
func (g *groups) twoLevels(setting string) {
	var all []*group1
	fitted := false
	for _, p := range g.policies {
		if one := g.by[[2]string{setting, p}]; one != nil {
			all, fitted = append(all, one), fitted || one.fitted
		}
	}
	if !fitted {
		return
	}
	for _, one := range all {
		for i := range one.units {
			one.units[i].at = map[string]*run{}
			for _, r := range one.units[i].runs {
				if w := r.window(); one.units[i].at[w] == nil {
					one.units[i].at[w] = r
				}
			}
		}
	}
	var windows []string
	seen := map[string]bool{}
	for _, r := range all[0].units[0].runs {
		if w := r.window(); !seen[w] {
			seen[w], windows = true, append(windows, w)
		}
	}
	windows = slices.DeleteFunc(windows, func(w string) bool {
		return slices.ContainsFunc(all, func(one *group1) bool {
			return slices.ContainsFunc(one.units, func(u unit) bool { return u.at[w] == nil })
		})
	})
	for _, one := range all {
		if one.windows = windows; len(windows) > 0 {
			one.over = "seeds, windows"
		}
	}
}

// grid lists a metric: a row per seed, a column per window. What was not fitted does the same under
// every seed: one row.
func (one *group1) grid(m int) stats.Grid {
	metric := metrics()[m]
	var g stats.Grid
	for _, u := range one.units {
		row := make([]float64, len(one.windows))
		for i, w := range one.windows {
			row[i] = u.at[w].value(&metric)
		}
		g = append(g, row)
	}
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	if !one.fitted && !slices.ContainsFunc(g, func(row []float64) bool { return !slices.EqualFunc(row, g[0], same) }) {
		return g[:1]
	}
	return g
}

// n counts independent observations: units, or windows where all seeds did the same.
func (one *group1) n() int {
	if len(one.windows) > 0 && len(one.grid(0)) == 1 {
		return len(one.windows)
	}
	return len(one.units)
}

// estimate is the mean of a metric with its interval.
func (one *group1) estimate(m int) stats.Interval {
	for i := len(one.found); i <= m; i++ {
		one.found = append(one.found, one.mean(i))
	}
	return one.found[m]
}

func (one *group1) mean(m int) stats.Interval {
	if len(one.windows) == 0 {
		return stats.Amounts(one.values(m))
	}
	g := one.grid(m)
	if len(g) == 1 {
		x, _ := stats.Finite(g[0])
		return stats.Amounts(x)
	}
	return sameWindows(stats.Estimate([]stats.Grid{g}, stats.Amount,
		func(g []stats.Grid) float64 { return stats.Mean(g[0].Pool()) }))
}

// against compares with another policy over seeds and windows: over what, one cell per metric, the
// ratio.
func (one *group1) against(base *group1) []cell {
	row := []cell{{Text: one.over}}
	for m := range metrics()[:8] {
		d := sameWindows(stats.Difference(base.grid(m), one.grid(m)))
		c := interval(d)
		c.Sign = d.Sign(0)
		row = append(row, c)
	}
	return append(row, interval(sameWindows(stats.Ratio(one.grid(0), base.grid(0)))))
}

// sameWindows drops the error that grids over different windows would have: grids of a setting are
// over the same.
func sameWindows(i stats.Interval, err error) stats.Interval {
	if err != nil {
		return stats.Interval{Point: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	}
	return i
}

// base is what the others of a setting are compared with: the first policy, or, unless it was asked
// for, what was trained or tuned there; nil = the setting has none.
func (g *groups) base(setting string) *group1 {
	if !g.chosen {
		for _, p := range g.policies {
			if one := g.by[[2]string{setting, p}]; one != nil && one.fitted {
				return one
			}
		}
	}
	return g.by[[2]string{setting, g.first}]
}

// firstName names what differences are against.
func (g *groups) firstName() string {
	for _, s := range g.settings {
		if b := g.base(s); b != nil && b.policy != g.first {
			return "what was trained or tuned in the same setting"
		}
	}
	return g.called(g.first)
}
