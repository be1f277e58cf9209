package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"tarry/sim/rng"
)

// TInterval is Student's interval of the mean.
func TInterval(x []float64, level float64) Interval {
	x, warnings := Finite(x)
	iv := Interval{Point: Mean(x), Lo: math.NaN(), Hi: math.NaN(), N: len(x), Warnings: warnings}
	switch {
	case len(x) < 2:
		iv.Warnings = append(iv.Warnings, fmt.Errorf("%d values have no interval", len(x)))
		return iv
	case !(level > 0 && level < 1):
		iv.Warnings = append(iv.Warnings, fmt.Errorf("level %v is outside (0, 1)", level))
		return iv
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(x) - 1)}.Quantile(0.5 + float64(level/2))
	half := float64(t * math.Sqrt(Variance(x)/float64(len(x))))
	iv.Lo, iv.Hi = iv.Point-half, iv.Point+half
	return iv
}

// Comparison is policy A against policy B on the same keys (workload, seed, replicate).
type Comparison struct {
	// MeanA and MeanB are over the pairs used.
	MeanA, MeanB float64
	// Diff is the mean of a-b. What differs from 0 by rounding alone is 0 (see Snap), as it is 1 in Ratio.
	Diff Interval
	// Ratio is MeanA/MeanB with a bootstrap interval over pairs, percentile if the
	// method is StudentT: 0.8 says that A needs 20 % less.
	Ratio Interval
	// Below is the share of pairs with a < b, ties half: the paired probability of
	// improvement where smaller is better. PairedMeans leaves it out.
	Below Interval
	// Ties is the number of pairs with values that are Equal.
	Ties int
}

// Paired compares a with b, pair by pair. Pairs with a value that is not finite are
// dropped with a warning; slices of different length are an error.
func Paired(s *rng.Stream, a, b []float64, o Options) (Comparison, error) {
	return paired(s, a, b, o, true)
}

// PairedMeans is Paired without Below, which is a third of the resamples and is drawn last.
func PairedMeans(s *rng.Stream, a, b []float64, o Options) (Comparison, error) {
	return paired(s, a, b, o, false)
}

func paired(s *rng.Stream, a, b []float64, o Options, shares bool) (Comparison, error) {
	if len(a) != len(b) {
		return Comparison{}, fmt.Errorf("stats: paired comparison of %d with %d values", len(a), len(b))
	}
	a, b, warnings := finitePairs(a, b)
	c := Comparison{MeanA: Mean(a), MeanB: Mean(b)}
	diff, below := make([]float64, len(a)), make([]float64, len(a))
	for i := range a {
		diff[i] = a[i] - b[i]
		switch {
		case Equal(a[i], b[i]):
			below[i] = 0.5
			c.Ties++
		case a[i] < b[i]:
			below[i] = 1
		}
	}
	if c.Ties > 0 {
		warnings = append(warnings, fmt.Errorf("%d of %d pairs are equal", c.Ties, len(a)))
	}
	c.Diff = Bootstrap(s, diff, Mean, o)
	plain := o
	if plain.Method == StudentT {
		plain.Method = Percentile
	}
	c.Ratio = resampled(s, len(a), func(ix []int) float64 {
		sa, sb := 0.0, 0.0
		for _, i := range ix {
			sa += a[i]
			sb += b[i]
		}
		return sa / sb
	}, plain)
	if plain.Method = Percentile; shares {
		c.Below = Bootstrap(s, below, Mean, plain)
	}
	c.Diff, c.Ratio = c.Diff.Snap(0, Resolution(a, b)), c.Ratio.Snap(1, Relative)
	for _, iv := range []*Interval{&c.Diff, &c.Ratio, &c.Below} {
		iv.Warnings = append(append([]error(nil), warnings...), iv.Warnings...)
	}
	if !positive(b) {
		c.Ratio.Warnings = append(c.Ratio.Warnings, fmt.Errorf("a ratio of means wants positive values"))
	}
	return c, nil
}

func positive(x []float64) bool {
	for _, v := range x {
		if v <= 0 {
			return false
		}
	}
	return true
}

func finitePairs(a, b []float64) (fa, fb []float64, warnings []error) {
	for i := range a {
		if d := a[i] - b[i]; !math.IsNaN(d) && !math.IsInf(d, 0) {
			fa, fb = append(fa, a[i]), append(fb, b[i])
		}
	}
	if n := len(a) - len(fa); n > 0 {
		warnings = append(warnings, fmt.Errorf("%d of %d pairs are not finite and were dropped", n, len(a)))
	}
	return fa, fb, warnings
}
