package law

import (
	"math"
	"slices"

	"tarry/internal/fixmath"
)

// LogNormal is the shape of a log-normal run time; sigma is the standard deviation of its
// logarithm. nil, no spread, for sigma below 1e-6.
func LogNormal(sigma float64) *Shape {
	if !(sigma >= 1e-6) {
		return nil
	}
	return build(sigma, part{1, 0, sigma, false})
}

// beyond is the spread about the largest residual with which the next may exceed it.
const beyond = 0.7

// kept bounds the residuals that an empirical shape is smoothed from: quantiles of all.
const kept = 256

// Empirical is the shape of run times whose logarithms lie residuals away from a prediction, and
// the median of these, which is to be added to the prediction. The density is an estimate with
// Epanechnikov's kernel over the logarithm, narrower where residuals are dense; the next of n + 1
// may lie past the largest. Fewer than eight residuals give the log-normal law alone. residuals are
// sorted in place.
func Empirical(residuals []float64) (s *Shape, centre float64) {
	slices.Sort(residuals)
	n := len(residuals)
	if n == 0 {
		return nil, 0
	}
	largest := residuals[n-1]
	mean, sd := moments(residuals)
	centre = between(residuals, 0.5)
	if !(sd >= 1e-6) {
		return nil, centre
	}
	if n < 8 {
		return LogNormal(sd), mean
	}
	tail := 1 / float64(n+1)
	n = min(n, kept)
	parts := make([]part, 0, n+1)
	for i := range n {
		p := (float64(i) + 0.5) / float64(n)
		parts = append(parts, part{(1 - tail) / float64(n), between(residuals, p) - centre,
			math.Max(0.01*sd, width(residuals, p)), true})
	}
	return build(sd, append(parts, part{tail, largest - centre, math.Min(beyond, sd), false})...), centre
}

// width is the kernel's standard deviation at quantile p: the distance within which f = n^(-1/5) /
// 4 of the residuals lie on the nearer side, so that no kernel reaches across a gap.
func width(sorted []float64, p float64) float64 {
	f := float64(0.25 * fixmath.Pow(float64(len(sorted)), -0.2))
	at, w := between(sorted, p), math.Inf(1)
	if p+f <= 1 {
		w = between(sorted, p+f) - at
	}
	if p-f >= 0 {
		w = math.Min(w, at-between(sorted, p-f))
	}
	return w
}

// moments are mean and standard deviation.
func moments(x []float64) (mean, sd float64) {
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	if len(x) < 2 {
		return mean, 0
	}
	for _, v := range x {
		sd += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(sd / float64(len(x)-1))
}

// between is the quantile p of a sorted list, linear between its values.
func between(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-1)
	j := min(i+1, len(sorted)-1)
	return sorted[i] + float64((sorted[j]-sorted[i])*(at-float64(i)))
}
