package tiresias

import (
	"slices"

	"tarry/sim"
)

// Index is the Gittins index over an empirical distribution of a job's whole service S.
// Build it once from a sample; a query costs two binary searches. The zero value knows
// no sample and gives 0 everywhere.
type Index struct {
	sample []sim.Time
	sum    []float64 // sum[i] of sample[:i]
}

// NewIndex takes a sample of service in GPU-microseconds, ascending, and keeps it.
func NewIndex(sample []sim.Time) Index {
	x := Index{sample: sample, sum: make([]float64, len(sample)+1)}
	for i, s := range sample {
		x.sum[i+1] = x.sum[i] + float64(s)
	}
	return x
}

// At is G(a) = P(S-a <= d | S > a) / E[min(S-a, d) | S > a], per GPU-microsecond: the chance
// to end within a quantum d, for each unit of service that the quantum is expected to cost. Larger goes
// first. It is 0 when no job of the sample got beyond a.
func (x *Index) At(a, d sim.Time) float64 {
	lo := above(x.sample, a)
	n := len(x.sample)
	if lo == n || d <= 0 {
		return 0
	}
	hi := n
	if d < sim.Never-a {
		hi = above(x.sample, a+d)
	}
	ends := float64(hi - lo)
	cost := x.sum[hi] - x.sum[lo] - float64(ends*float64(a)) + float64(float64(n-hi)*float64(d))
	return ends / cost
}

// above is the index of the first element larger than t.
func above(s []sim.Time, t sim.Time) int {
	i, _ := slices.BinarySearchFunc(s, t, func(e, t sim.Time) int {
		if e > t {
			return 1
		}
		return -1
	})
	return i
}
