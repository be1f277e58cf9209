package law

import (
	"math"

	"tarry/internal/fixmath"
)

// Law is the distribution of one job's run time: exp(LogMedian) times what Shape states. The zero
// value is exactly one second.
type Law struct {
	// LogMedian is the natural logarithm of the median, in seconds.
	LogMedian float64
	// Shape is the distribution of run time over median; nil = no spread.
	Shape *Shape
}

// Median is the median run time in seconds.
func (l Law) Median() float64 { return fixmath.Exp(l.LogMedian) }

// Sigma is the standard deviation of the logarithm of the run time; 0 = no spread.
func (l Law) Sigma() float64 {
	if l.Shape == nil {
		return 0
	}
	return l.Shape.sigma
}

// Quantile is the run time in seconds that the job stays below with probability p, 0 < p < 1.
func (l Law) Quantile(p float64) float64 {
	if l.Shape == nil {
		return l.Median()
	}
	return fixmath.Exp(l.LogMedian + l.Shape.quantile(p))
}

// Beyond is the run time in seconds that a job which has run for ran seconds, and has not ended,
// stays below with probability p, 0 < p < 1. Without spread it is the median. Past the end of the
// law it may be less than ran.
func (l Law) Beyond(ran, p float64) float64 {
	if l.Shape == nil || !(ran > 0) {
		return l.Quantile(p)
	}
	return l.Quantile(1 - float64((1-p)*l.Shape.over(math.Log(ran)-l.LogMedian)))
}

// Left is the mean run time left, in seconds, of a job that has run for ran seconds and has not
// ended. Without spread it is what the median leaves, at least 0.
func (l Law) Left(ran float64) float64 {
	median := l.Median()
	if l.Shape == nil {
		return math.Max(0, median-ran)
	}
	return median * l.Shape.read(l.Shape.left, l.Shape.left0, ran/median)
}

// Rank is the Gittins rank of a job that has run for ran seconds and has not ended, in seconds: the
// least, over all ways to stop, of the time spent on it per probability that it ends. The smallest
// rank goes first. It is the inverse of the Gittins index, and at most Left. Without spread it is
// Left.
//
// Gittins, J. R. Stat. Soc. B 41(2), 1979; Scully, Harchol-Balter and Scheller-Wolf, POMACS 2(1),
// 2018, section 4.
func (l Law) Rank(ran float64) float64 {
	if l.Shape == nil {
		return l.Left(ran)
	}
	median := l.Median()
	return median * l.Shape.read(l.Shape.rank, l.Shape.rank0, ran/median)
}
