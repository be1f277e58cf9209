package stats

import (
	"fmt"
	"math"
	"slices"
)

// Finite gives the finite values of x in order, and a warning when some are not.
func Finite(x []float64) ([]float64, []error) {
	out := make([]float64, 0, len(x))
	for _, v := range x {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			out = append(out, v)
		}
	}
	if n := len(x) - len(out); n > 0 {
		return out, []error{fmt.Errorf("%d of %d values are not finite and were dropped", n, len(x))}
	}
	return out, nil
}

// Mean is the arithmetic mean; NaN of nothing.
func Mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// Variance is the sample variance (divisor n-1); NaN below two values.
func Variance(x []float64) float64 {
	if len(x) < 2 {
		return math.NaN()
	}
	m, sum := Mean(x), 0.0
	for _, v := range x {
		sum += float64((v - m) * (v - m))
	}
	return sum / float64(len(x)-1)
}

// Quantile is the p-quantile of sorted (ascending) values by linear interpolation
// between order statistics: type 7 of Hyndman and Fan (1996), the default of R, NumPy
// and pandas. p is cut to [0, 1]; NaN of nothing.
func Quantile(sorted []float64, p float64) float64 {
	n := len(sorted)
	if n == 0 || math.IsNaN(p) {
		return math.NaN()
	}
	h := float64(float64(n-1) * min(max(p, 0), 1))
	i := int(h)
	if i+1 >= n {
		return sorted[n-1]
	}
	return sorted[i] + float64((h-float64(i))*(sorted[i+1]-sorted[i]))
}

// Quantiles sorts a copy of x and gives its quantiles.
func Quantiles(x []float64, ps ...float64) []float64 {
	sorted := slices.Sorted(slices.Values(x))
	out := make([]float64, len(ps))
	for i, p := range ps {
		out[i] = Quantile(sorted, p)
	}
	return out
}

// IQM is the interquartile mean: the mean of what is left after floor(n/4) of the
// smallest and as many of the largest values are dropped; NaN of nothing.
func IQM(x []float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	cut := len(sorted) / 4
	return Mean(sorted[cut : len(sorted)-cut])
}

// Jain is the fairness index (sum x)^2 / (n sum x^2) of Jain, Chiu and Hawe (1984) over
// non-negative values: 1 when all are equal, 1/n when one has everything. All zero
// counts as equal; NaN of nothing or of a negative value.
func Jain(x []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, v := range x {
		if v < 0 {
			return math.NaN()
		}
		sum += v
		squares += float64(v * v)
	}
	if len(x) > 0 && squares == 0 {
		return 1
	}
	return float64(sum*sum) / float64(float64(len(x))*squares)
}
