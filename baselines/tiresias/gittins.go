package tiresias

import "tarry/sim"

// Index is the Gittins index over an empirical distribution of a job's whole service S. Build it
// once from a sample; a query costs two searches, which are short where a mark of the job's last
// one is near. The zero value knows no sample and gives 0 everywhere.
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

// At is G(a) = P(S-a <= d | S > a) / E[min(S-a, d) | S > a], per GPU-microsecond: the chance to end
// within a quantum d, for each unit of service that the quantum is expected to cost. Larger goes
// first. It is 0 when no job of the sample got beyond a.
func (x *Index) At(a, d sim.Time) float64 { return x.near(a, d, &mark{}) }

// mark is where the last query of a job ended: how much of the sample is at most a, and at most a +
// d.
type mark struct{ lo, hi int32 }

// near is At, searched from a mark on, which is moved.
func (x *Index) near(a, d sim.Time, m *mark) float64 {
	lo := above(x.sample, a, &m.lo)
	n := len(x.sample)
	if lo == n || d <= 0 {
		return 0
	}
	hi := n
	if d < sim.Never-a {
		hi = above(x.sample, a+d, &m.hi)
	}
	ends := float64(hi - lo)
	cost := x.sum[hi] - x.sum[lo] - float64(ends*float64(a)) + float64(float64(n-hi)*float64(d))
	return ends / cost
}

// above is the index of the first element larger than t. It is looked for around a guess, in steps
// that double, and noted there.
func above(s []sim.Time, t sim.Time, guess *int32) int {
	lo, hi := int(*guess), int(*guess) // s[:lo] is at most t, s[hi:] larger
	for step := 1; lo > 0 && s[lo-1] > t; step *= 2 {
		hi, lo = lo-1, max(0, lo-step)
	}
	for step := 1; hi < len(s) && s[hi] <= t; step *= 2 {
		lo, hi = hi+1, min(len(s), hi+step)
	}
	for lo < hi {
		if m := int(uint(lo+hi) / 2); s[m] <= t {
			lo = m + 1
		} else {
			hi = m
		}
	}
	*guess = int32(lo)
	return lo
}
