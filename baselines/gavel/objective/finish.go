package objective

import "math"

// FinishTime is finish-time fairness, the measure of Themis: minimise the largest
//
//	rho_m = (elapsed_m + steps_m / sum_j T_mj x_mj) / (isolated_m + steps_m / I_m)
//
// where isolated_m is the time that the job would have run alone on an equal share of every type so
// far, and I_m its rate on it. The objective is the largest rho. Of several optima it takes one of
// the largest sum of rates, each as a part of what the job needs for that rho. Untyped: every type
// has the rate of the input's Reference.
type FinishTime struct {
	// Typed: throughputs by type are read.
	Typed bool

	level level
	flat  []float64
	share []float64
}

// Clone implements Allocator.
func (a *FinishTime) Clone() Allocator { return &FinishTime{Typed: a.Typed, level: a.level.clone()} }

// Allocate implements Allocator.
func (a *FinishTime) Allocate(in *Input, x *Matrix) (float64, error) {
	rates := in.Throughput
	if !a.Typed {
		a.flat = reference(in, a.flat)
		rates = a.flat
	}
	l, types := &a.level, in.Types()
	if err := l.open(in, rates, true); err != nil {
		return 0, err
	}
	a.share = append(a.share[:0], make([]float64, types)...)
	for m, scale := range in.Scale {
		if row := rates[m*types:][:types]; l.runs(row) {
			isolatedShare(in, m, a.share)
			l.add(m, row, scale, need{steps: in.Steps[m], due: in.IsolatedS[m] + in.Steps[m]/got(row, a.share),
				elapsed: in.ElapsedS[m]})
		}
	}
	if _, err := l.allocate(in, x); err != nil {
		return 0, err
	}
	if l.lack {
		return math.Inf(1), nil
	}
	worst := 0.0
	for i, m := range l.jobs {
		n := l.need(i)
		worst = max(worst, (n.elapsed+n.steps/got(rates[int(m)*types:][:types], x.Row(int(m))))/n.due)
	}
	return worst, nil
}

// reference writes the throughputs of an input in which every type has the rate of the reference
// type.
func reference(in *Input, flat []float64) []float64 {
	flat = flat[:0]
	types := in.Types()
	for m := range in.Scale {
		for range types {
			flat = append(flat, in.Throughput[m*types+in.Reference])
		}
	}
	return flat
}
