package stats

import (
	"fmt"
	"math"
)

// Comparison is policy A against policy B on the same keys (workload, seed, replicate).
type Comparison struct {
	// MeanA and MeanB are over the pairs used.
	MeanA, MeanB float64
	// Diff is the mean of a-b with Student's interval. What differs from 0 by rounding alone is 0
	// (see Snap), as it is 1 in Ratio.
	Diff Interval
	// Ratio is MeanA/MeanB with Student's interval of its logarithm by the jackknife over pairs:
	// 0.8 states that A needs 20 % less.
	Ratio Interval
	// Below is the share of pairs with a < b, ties half, with the interval of a proportion: the
	// paired probability of improvement where smaller is better.
	Below Interval
	// Ties is the number of pairs with values that are Equal.
	Ties int
}

// Paired compares a with b, pair by pair. Pairs with a value that is not finite are
// dropped with a warning; slices of different length are an error.
func Paired(a, b []float64) (Comparison, error) {
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
	c.Diff, c.Ratio, c.Below = Student(diff).Snap(0, Resolution(a, b)), ratio(a, b).Snap(1, Relative),
		none(Mean(below), len(below))
	if !c.Below.few() {
		c.Below.between(Share, student(Variance(below)/float64(len(below)), float64(len(below)-1)))
	}
	for _, iv := range []*Interval{&c.Diff, &c.Ratio, &c.Below} {
		iv.Warnings = append(append([]error(nil), warnings...), iv.Warnings...)
	}
	return c, nil
}

// ratio is the ratio of the means of positive numbers. Sums without one pair are differences, so
// that long lists cost no more than their length.
func ratio(a, b []float64) Interval {
	sumA, sumB := Mean(a)*float64(len(a)), Mean(b)*float64(len(b))
	iv := none(Mean(a)/Mean(b), len(a))
	if iv.few() {
		return iv
	}
	without := make([]float64, len(a))
	for i := range a {
		without[i] = (sumA - a[i]) / (sumB - b[i])
	}
	iv.jackknifed(Log, [][]float64{without})
	return iv
}

// jackknifed sets the bounds by a statistic's values without each observation of each source.
func (i *Interval) jackknifed(scale Scale, sources [][]float64) {
	all := make([]reach, len(sources))
	for k, without := range sources {
		if scale == Log {
			for _, v := range without {
				if !(v > 0) || math.IsInf(v, 1) {
					i.Warnings = append(i.Warnings, fmt.Errorf("a ratio has an interval only where it is above 0 "+
						"without any one of the values"))
					return
				}
			}
			for at, v := range without {
				without[at] = math.Log(v)
			}
		}
		all[k] = jackknife(without)
	}
	i.between(scale, plus(all))
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
