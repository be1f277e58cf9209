package objective

import "math"

// MaxMin is max-min fairness, which the paper calls LAS: maximise
//
//	min_m s_m / w_m * (sum_j T_mj x_mj) / p_m,  p_m = sum_j T_mj N_j / sum_j N_j
//
// where p_m is the rate under an equal share of all types. The objective is that minimum. Of
// several optima it takes one of the largest sum of rates in that measure. Untyped: all T are 1.
type MaxMin struct {
	// Typed: throughputs are read.
	Typed bool

	level level
	flat  []float64
}

// Clone implements Allocator.
func (a *MaxMin) Clone() Allocator { return &MaxMin{Typed: a.Typed, level: a.level.clone()} }

// Allocate implements Allocator.
func (a *MaxMin) Allocate(in *Input, x *Matrix) (float64, error) {
	rates := in.Throughput
	if !a.Typed {
		a.flat = ones(a.flat, len(rates))
		rates = a.flat
	}
	l, types := &a.level, in.Types()
	if err := l.open(in, rates, true); err != nil {
		return 0, err
	}
	for m, s := range in.Scale {
		if row := rates[m*types:][:types]; l.runs(row) {
			l.add(m, row, s, need{steps: in.weight(m) * equalRate(in, row) / float64(s), due: 1})
		}
	}
	if _, err := l.allocate(in, x); err != nil {
		return 0, err
	}
	if l.lack || len(l.jobs) == 0 {
		return 0, nil
	}
	least := math.Inf(1)
	for i, m := range l.jobs {
		least = min(least, got(rates[int(m)*types:][:types], x.Row(int(m)))/l.need(i).steps)
	}
	return least, nil
}
