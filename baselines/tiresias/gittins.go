package tiresias

import (
	"math"
	"slices"

	"tarry/sim"
)

// Index is the Gittins index over an empirical distribution of a job's whole service S. Build it
// once from a sample; a query costs two searches, which are short where a mark of the job's last
// one is near. The zero value has no sample and gives 0 everywhere.
type Index struct {
	sample []sim.Time
	sum    []float64 // sum[i] of sample[:i]
	lows   []lows    // of quanta; not changed once made
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

// lows are the values of the index with a quantum at the values of the sample, and the least of
// neighbours: low[n+i] is at sample[i], low[i] the lesser of low[2i] and low[2i+1].
type lows struct {
	quantum sim.Time
	low     []float64
}

// watch prepares least for some quanta.
func (x *Index) watch(quanta []sim.Time) {
	n := len(x.sample)
	for _, d := range quanta {
		if n == 0 || slices.ContainsFunc(x.lows, func(l lows) bool { return l.quantum == d }) {
			continue
		}
		l, m := lows{d, make([]float64, 2*n)}, mark{}
		for i, s := range x.sample {
			l.low[n+i] = x.near(s, d, &m)
		}
		for i := n - 1; i > 0; i-- {
			l.low[i] = math.Min(l.low[2*i], l.low[2*i+1])
		}
		x.lows = append(x.lows, l)
	}
}

// least is a lower bound of the index, up to rounding, while service grows from a to b, with a
// quantum that is watched; 0 with another. Between two values of the sample the index rises.
func (x *Index) least(a, b, d sim.Time) float64 {
	i := slices.IndexFunc(x.lows, func(l lows) bool { return l.quantum == d })
	if i < 0 {
		return 0
	}
	guess := int32(0)
	from := above(x.sample, a, &guess)
	to := above(x.sample, b, &guess)
	out, low := x.near(a, d, &mark{int32(from), int32(to)}), x.lows[i].low
	for lo, hi := from+len(x.sample), to+len(x.sample); lo < hi; lo, hi = lo/2, hi/2 {
		if lo&1 == 1 {
			out = math.Min(out, low[lo])
			lo++
		}
		if hi&1 == 1 {
			hi--
			out = math.Min(out, low[hi])
		}
	}
	return out
}
