package objective

import "math"

// MaxMin is max-min fairness, which the paper calls LAS: maximise
//
//	min_m s_m / w_m * (sum_j T_mj x_mj) / p_m,  p_m = sum_j T_mj N_j / sum_j N_j
//
// where p_m is the rate under an equal share of all types. The objective is that minimum. Of several optima it takes one of the largest sum
// of rates in that measure. Untyped: all T are 1.
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
		a.flat = a.flat[:0]
		for range in.Throughput {
			a.flat = append(a.flat, 1)
		}
		rates = a.flat
	}
	l := &a.level
	if err := l.open(in, rates); err != nil {
		return 0, err
	}
	gpus := 0.0
	for _, n := range l.caps {
		gpus += n
	}
	for i, m := range l.jobs {
		equal := got(l.row(i), l.caps) / gpus
		l.add(need{steps: in.weight(int(m)) * equal / l.gang[i], due: 1})
	}
	if _, err := l.allocate(in, x); err != nil {
		return 0, err
	}
	if l.lack || len(l.jobs) == 0 {
		return 0, nil
	}
	least := math.Inf(1)
	types := in.Types()
	for i, m := range l.jobs {
		least = min(least, got(rates[int(m)*types:][:types], x.Row(int(m)))/l.needs[i].steps)
	}
	return least, nil
}
