package law

import (
	"math"
	"sort"

	"tarry/internal/fixmath"
)

// points is the number of grid points of a Shape, from -span to +span standard deviations about its
// median.
const (
	points = 513
	span   = 6.0
)

// Shape is the distribution of the logarithm u of a run time over its median. It does not change:
// many laws share one.
type Shape struct {
	sigma    float64
	lo, step float64 // of the grid of u
	// above[i] is the probability of more than u_i.
	above []float64
	// rank and left are the logarithms of Gittins rank and mean time left at exp(u_i), in medians;
	// rank0 and left0 are for a job that has not run, not as logarithms.
	rank, left   []float64
	rank0, left0 float64
}

// Sigma is the standard deviation of u.
func (s *Shape) Sigma() float64 { return s.sigma }

// at is a grid point.
func (s *Shape) at(i int) float64 { return s.lo + float64(float64(i)*s.step) }

// read interpolates a table at a run time in medians: the logarithm between grid points, the value
// itself before the first. Past the last point both grow in proportion to the run time, as where
// hazard falls.
func (s *Shape) read(table []float64, zero, ran float64) float64 {
	if !(ran > 0) {
		return zero
	}
	u := (math.Log(ran) - s.lo) / s.step
	switch last := len(table) - 1; {
	case u <= 0:
		return zero + float64((fixmath.Exp(table[0])-zero)*(ran/fixmath.Exp(s.lo)))
	case u >= float64(last):
		return fixmath.Exp(table[last]) * (ran / fixmath.Exp(s.at(last)))
	}
	i := int(u)
	return fixmath.Exp(table[i] + float64((table[i+1]-table[i])*(u-float64(i))))
}

// quantile is the u that a run time stays below with probability p.
func (s *Shape) quantile(p float64) float64 {
	q := 1 - p
	i := sort.Search(len(s.above), func(i int) bool { return s.above[i] <= q })
	switch {
	case i == 0:
		return s.lo
	case i == len(s.above):
		return s.at(i - 1)
	}
	return s.at(i) - float64(s.step*((q-s.above[i])/(s.above[i-1]-s.above[i])))
}

// over is the probability of more than u: the inverse of quantile.
func (s *Shape) over(u float64) float64 {
	at := (u - s.lo) / s.step
	switch last := len(s.above) - 1; {
	case at <= 0:
		return 1
	case at >= float64(last):
		return s.above[last]
	}
	i := int(at)
	return s.above[i] + float64((s.above[i+1]-s.above[i])*(at-float64(i)))
}
