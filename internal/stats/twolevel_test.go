package stats

import (
	"math"
	"slices"
	"testing"

	"tarry/sim/rng"
)

// minus is the mean of the first grid minus that of the second.
func minus(g []Grid) float64 { return Mean(g[0].Pool()) - Mean(g[1].Pool()) }

// enumerate lists the statistic of every resample of two grids: all are equally likely.
func enumerate(a, b Grid, stat func([]Grid) float64) []float64 {
	lists := func(n int) (out [][]int) {
		out = [][]int{{}}
		for range n {
			var longer [][]int
			for _, l := range out {
				for i := range n {
					longer = append(longer, append(slices.Clone(l), i))
				}
			}
			out = longer
		}
		return out
	}
	draw := func(g Grid, seeds, windows []int) (out Grid) {
		for _, s := range seeds {
			out = append(out, take(nil, g[s], windows))
		}
		return out
	}
	var all []float64
	for _, windows := range lists(len(a[0])) {
		for _, sa := range lists(len(a)) {
			for _, sb := range lists(len(b)) {
				all = append(all, stat([]Grid{draw(a, sa, windows), draw(b, sb, windows)}))
			}
		}
	}
	slices.Sort(all)
	return all
}

// The bounds are those of all resamples counted out, where the quantile is well inside a step.
func TestTwoLevelIsTheEnumeration(t *testing.T) {
	for name, c := range map[string]struct {
		a, b Grid
		stat func([]Grid) float64
	}{
		"two seeds against a baseline":  {Grid{{1, 5}, {2, 9}}, Grid{{3, 4}}, minus},
		"two seeds against two":         {Grid{{1, 5}, {2, 9}}, Grid{{3, 4}, {11, 1}}, minus},
		"three windows":                 {Grid{{1, 5, 2}, {4, 9, 0}}, Grid{{3, 4, 8}}, minus},
		"one seed is over windows only": {Grid{{1, 5, 2.5}}, Grid{{0, 0, 0}}, minus},
		"one window is over seeds only": {Grid{{1}, {5}, {2.5}}, Grid{{0}}, minus},
		"interquartile mean":            {Grid{{1, 5, 2}, {4, 9, 0}}, Grid{{0, 0, 0}}, func(g []Grid) float64 { return IQM(g[0].Pool()) }},
	} {
		all := enumerate(c.a, c.b, c.stat)
		for _, level := range []float64{0.9, 0.77, 0.61, 0.42, 0.2} {
			alpha := (1 - level) / 2
			iv, err := TwoLevel(stream(name), []Grid{c.a, c.b}, c.stat, Options{Level: level, Reps: 40_000})
			if err != nil {
				t.Fatal(name, err)
			}
			for _, side := range []struct{ p, got float64 }{{alpha, iv.Lo}, {1 - alpha, iv.Hi}} {
				// Three deviations of the share of draws below a bound.
				slack := 3 * math.Sqrt(side.p*(1-side.p)/40_000)
				at := func(p float64) float64 { return all[min(len(all)-1, max(0, int(p*float64(len(all)))))] }
				if lo, hi := at(side.p-slack), at(side.p+slack); !(side.got >= lo-1e-12 && side.got <= hi+1e-12) {
					t.Errorf("%s: quantile %.3f is %v, expected %v to %v", name, side.p, side.got, lo, hi)
				}
			}
		}
		want := c.stat([]Grid{c.a, c.b})
		if iv, err := TwoLevel(stream(name), []Grid{c.a, c.b}, c.stat, Options{Reps: 50}); err != nil || iv.Point != want || iv.N != len(c.a[0]) {
			t.Errorf("%s: %+v, %v, expected the point %v of %d windows", name, iv, err, want, len(c.a[0]))
		}
	}
}

// coverage is how often an interval holds the true mean 0, over trials of the model
// x(seed, window) = a(seed) + b(window) + e.
func coverage(seeds, windows int, sa, sb, se float64, interval func(s *rng.Stream, g Grid) Interval) float64 {
	draws, hits := stream("model"), 0
	const trials = 400
	for range trials {
		b := make([]float64, windows)
		for w := range b {
			b[w] = sb * draws.NormFloat64()
		}
		g := make(Grid, seeds)
		for k := range g {
			a := sa * draws.NormFloat64()
			for w := range windows {
				g[k] = append(g[k], a+b[w]+se*draws.NormFloat64())
			}
		}
		if iv := interval(draws, g); iv.Lo <= 0 && iv.Hi >= 0 {
			hits++
		}
	}
	return float64(hits) / trials
}

// Over both levels the interval covers; over windows alone it is far too narrow where seeds differ.
func TestTwoLevelCovers(t *testing.T) {
	both := func(s *rng.Stream, g Grid) Interval {
		iv, err := TwoLevel(s, []Grid{g}, func(g []Grid) float64 { return Mean(g[0].Pool()) }, Options{Reps: 400})
		if err != nil {
			t.Fatal(err)
		}
		return iv
	}
	windows := func(s *rng.Stream, g Grid) Interval {
		mean := make([]float64, len(g[0]))
		for _, row := range g {
			for w, v := range row {
				mean[w] += v / float64(len(g))
			}
		}
		return TInterval(mean, 0.95)
	}
	for _, c := range []struct {
		sa, sb, se     float64
		low, high, one float64 // of the two levels, and at most of windows alone
	}{
		{1, 1, 0.5, 0.88, 0.98, 0.90},
		{2, 0.5, 0.5, 0.86, 0.97, 0.50},
		{0.5, 2, 0.5, 0.89, 0.99, 1},
	} {
		if got := coverage(12, 24, c.sa, c.sb, c.se, both); got < c.low || got > c.high {
			t.Errorf("deviations %v, %v, %v: %v of the intervals cover, expected %v to %v", c.sa, c.sb, c.se, got, c.low, c.high)
		}
		if got := coverage(12, 24, c.sa, c.sb, c.se, windows); got > c.one {
			t.Errorf("deviations %v, %v, %v: %v of the intervals over windows cover, expected at most %v", c.sa, c.sb, c.se, got, c.one)
		}
	}
}

func TestTwoLevelOfLittle(t *testing.T) {
	mean := func(g []Grid) float64 { return Mean(g[0].Pool()) }
	iv, err := TwoLevel(stream("x"), []Grid{{{4}}}, mean, Options{})
	if err != nil || iv.Point != 4 || !math.IsNaN(iv.Lo) {
		t.Errorf("one number has interval %+v, %v", iv, err)
	}
	iv, err = TwoLevel(stream("x"), []Grid{{{4, nan, 6}, {1, 2, 3}}}, mean, Options{})
	if err != nil || iv.Point != 3.5 || iv.N != 2 {
		t.Errorf("a window without a number gives %+v, %v", iv, err)
	}
	warns(t, "few", iv.Warnings, "1 of 3 windows", "bootstrap of 2 seeds", "bootstrap of 2 values")
	for want, grids := range map[string][]Grid{
		"stats: two levels of no policy or of no seed":        {},
		"stats: policy 1 has no seed":                         {{{1}}, {}},
		"stats: seed 1 of policy 0 has 1 windows, expected 2": {{{1, 2}, {3}}},
		"stats: seed 0 of policy 1 has 3 windows, expected 2": {{{1, 2}}, {{3, 4, 5}}},
	} {
		if _, err := TwoLevel(stream("x"), grids, mean, Options{}); err == nil || err.Error() != want {
			t.Errorf("error is %v, expected %s", err, want)
		}
	}
}
