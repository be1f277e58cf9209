package stats

import (
	"fmt"
	"math"
	"slices"

	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// Method is a way to an interval.
type Method int

// The methods. Percentile is the zero value.
const (
	Percentile Method = iota // quantiles of the resampled statistic
	BCa                      // bias-corrected and accelerated: Efron (1987); one sample only
	StudentT                 // t-interval of the mean: exact for normal values, fair for few
)

// Options say how an interval is computed. The zero value is valid.
type Options struct {
	// Level is the coverage asked for, in (0, 1); 0 = 0.95.
	Level float64
	// Reps is the number of resamples; 0 = 10 000.
	Reps int
	// Method of intervals of paired differences and of one sample.
	Method Method
}

func (o Options) level() float64 {
	if o.Level == 0 {
		return 0.95
	}
	return o.Level
}

func (o Options) reps() int {
	if o.Reps <= 0 {
		return 10_000
	}
	return o.Reps
}

// Interval is an estimate with its confidence interval.
type Interval struct {
	// Point is the statistic of the data, Lo and Hi the bounds; NaN when there are too
	// few values.
	Point, Lo, Hi float64
	// N is the number of values (pairs) used.
	N int
	// Warnings say why to doubt the numbers.
	Warnings []error
}

// fewSamples is where bootstrap intervals are known to be too narrow.
const fewSamples = 10

// Bootstrap gives the interval of a statistic of one sample. Values that are not
// finite are dropped with a warning. StudentT ignores stat: it is about the mean.
func Bootstrap(s *rng.Stream, x []float64, stat func([]float64) float64, o Options) Interval {
	x, warnings := Finite(x)
	if o.Method == StudentT {
		iv := TInterval(x, o.level())
		iv.Warnings = append(warnings, iv.Warnings...)
		return iv
	}
	buf := make([]float64, len(x))
	iv := resampled(s, len(x), func(ix []int) float64 { return stat(take(buf, x, ix)) }, o)
	iv.Warnings = append(warnings, iv.Warnings...)
	return iv
}

func take(buf, x []float64, ix []int) []float64 {
	buf = buf[:0]
	for _, i := range ix {
		buf = append(buf, x[i])
	}
	return buf
}

// resampled is the bootstrap over n things; stat sees which of them were drawn.
func resampled(s *rng.Stream, n int, stat func(ix []int) float64, o Options) Interval {
	iv := Interval{Point: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), N: n}
	if n == 0 {
		iv.Warnings = append(iv.Warnings, fmt.Errorf("no values"))
		return iv
	}
	ix := make([]int, n)
	for i := range ix {
		ix[i] = i
	}
	iv.Point = stat(ix)
	if iv.Warnings = append(iv.Warnings, doubts(n, o)...); n < 2 {
		return iv
	}
	draws := make([]float64, o.reps())
	for r := range draws {
		s.Indices(ix, n)
		draws[r] = stat(ix)
	}
	alpha := (1 - o.level()) / 2
	lo, hi := alpha, 1-alpha
	if o.Method == BCa {
		var err error
		if lo, hi, err = bcaTails(draws, iv.Point, jackknife(n, stat), alpha); err != nil {
			iv.Warnings = append(iv.Warnings, err)
		}
	}
	slices.Sort(draws)
	iv.Lo, iv.Hi = Quantile(draws, lo), Quantile(draws, hi)
	return iv
}

func doubts(n int, o Options) (w []error) {
	switch {
	case n < 2:
		w = append(w, fmt.Errorf("one value has no interval"))
	case n < fewSamples:
		w = append(w, fmt.Errorf("bootstrap of %d values: the interval is too narrow below %d, compare the t-interval", n, fewSamples))
	}
	if l := o.level(); !(l > 0 && l < 1) {
		w = append(w, fmt.Errorf("level %v is outside (0, 1)", l))
	}
	if tail := float64((1 - o.level()) / 2 * float64(o.reps())); tail < 10 {
		w = append(w, fmt.Errorf("%d resamples leave %.3g beyond a bound: the bounds are rough", o.reps(), tail))
	}
	return w
}

// jackknife gives the statistic without each thing in turn.
func jackknife(n int, stat func(ix []int) float64) []float64 {
	out := make([]float64, n)
	ix := make([]int, n-1)
	for skip := range out {
		for i := range ix {
			ix[i] = i
			if i >= skip {
				ix[i]++
			}
		}
		out[skip] = stat(ix)
	}
	return out
}

// bcaTails gives the quantiles of the draws that bound the BCa interval: Efron and
// Tibshirani, "An Introduction to the Bootstrap" (1993), eqs. 14.10, 14.14 and 14.15.
// We differ: draws equal to the point count half, so that a discrete statistic is not
// taken for a biased one.
func bcaTails(draws []float64, point float64, jack []float64, alpha float64) (lo, hi float64, err error) {
	below := 0.0
	for _, d := range draws {
		if d < point {
			below++
		} else if d == point {
			below += 0.5
		}
	}
	share := below / float64(len(draws))
	a := acceleration(jack)
	if share <= 0 || share >= 1 || math.IsNaN(a) {
		return alpha, 1 - alpha, fmt.Errorf("BCa is not defined here (all resamples on one side, or a constant statistic): percentile interval instead")
	}
	z0 := fixmath.NormalQuantile(share)
	tail := func(p float64) float64 {
		z := z0 + fixmath.NormalQuantile(p)
		return fixmath.NormalCDF(z0 + z/(1-float64(a*z)))
	}
	return tail(alpha), tail(1 - alpha), nil
}

func acceleration(jack []float64) float64 {
	m, s2, s3 := Mean(jack), 0.0, 0.0
	for _, v := range jack {
		d := m - v
		s2 += float64(d * d)
		s3 += float64(d * d * d)
	}
	return s3 / float64(6*fixmath.Pow(s2, 1.5))
}
