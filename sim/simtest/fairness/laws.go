package fairness

import (
	"fmt"
	"math"
)

// SharingIncentive reports the first job that does less than with a row of its own partition
// (Isolated, Alone or any other).
func (s *Sharing) SharingIncentive(x, own [][]float64, tol float64) error {
	for j := range x {
		if got, alone := s.Utility(j, x[j]), s.Utility(j, own[j]); less(got, alone, tol) {
			return fmt.Errorf("sharing incentive: job %d does %v, alone %v", j, got, alone)
		}
	}
	return nil
}

// EnvyFree reports the first job that would do more with the GPUs of another, taken in proportion
// to its own weight.
func (s *Sharing) EnvyFree(x [][]float64, tol float64) error {
	for j := range x {
		for k := range x {
			bundle := make([]float64, len(x[k]))
			for r, part := range x[k] {
				bundle[r] = part * s.gang(k) / s.gang(j) * s.weight(j) / s.weight(k)
			}
			if got, other := s.Utility(j, x[j]), s.Utility(j, s.best(j, bundle)); less(got, other, tol) {
				return fmt.Errorf("envy: job %d does %v, with the GPUs of job %d it would do %v", j, got, k, other)
			}
		}
	}
	return nil
}

// Pareto reports an allocation that can be bettered for some job and worsened for none. The gain is
// measured in parts of what each job does on its fastest type, summed over jobs; it may be tol. The
// cost is a dense linear programme: some dozens of jobs.
func (s *Sharing) Pareto(x [][]float64, tol float64) error {
	n, types := len(s.Throughput), len(s.GPUs)
	var lp programme
	lp.c = make([]float64, n*types)
	base := 0.0
	for j := range n {
		fastest := 0.0
		for _, t := range s.Throughput[j] {
			fastest = math.Max(fastest, t)
		}
		if fastest == 0 {
			continue
		}
		time, keep := make([]float64, n*types), make([]float64, n*types)
		for r, t := range s.Throughput[j] {
			lp.c[j*types+r] = t / fastest
			time[j*types+r], keep[j*types+r] = 1, -t/fastest
		}
		has := s.Utility(j, x[j]) / fastest
		base += has
		lp.add(time, 1)
		lp.add(keep, -math.Max(0, has-1e-9))
	}
	for r, gpus := range s.GPUs {
		row := make([]float64, n*types)
		for j := range n {
			row[j*types+r] = s.gang(j)
		}
		lp.add(row, gpus)
	}
	best, ok := lp.maximum()
	if !ok {
		return fmt.Errorf("pareto: no allocation does what this one does: %w", s.Feasible(x, 1e-9))
	}
	if best > base+tol {
		return fmt.Errorf("pareto: another allocation gains %v of full speeds, and takes from no job", best-base)
	}
	return nil
}

// StrategyProof reports a job that does more when it states lie in place of its throughputs: solve
// is the allocation that the scheduler makes of the Sharing that it is given.
func (s *Sharing) StrategyProof(solve func(*Sharing) [][]float64, j int, lie []float64, tol float64) error {
	told := *s
	told.Throughput = append([][]float64(nil), s.Throughput...)
	told.Throughput[j] = lie
	if honest, lying := s.Utility(j, solve(s)[j]), s.Utility(j, solve(&told)[j]); less(honest, lying, tol) {
		return fmt.Errorf("strategy: job %d does %v, and %v after it states %v for %v", j, honest, lying, lie,
			s.Throughput[j])
	}
	return nil
}

// Within reports the first whose total is further than quantum from what it is entitled to: its
// weight's part of the sum of all. It is for jobs that wanted GPUs all the time.
func Within(got, weight []float64, quantum float64) error {
	all, weights := 0.0, 0.0
	for i, g := range got {
		all += g
		weights += at(weight, i)
	}
	for i, g := range got {
		if due := all * at(weight, i) / weights; math.Abs(g-due) > quantum {
			return fmt.Errorf("share: %d has got %v, its part is %v: further than %v", i, g, due, quantum)
		}
	}
	return nil
}

// less reports whether a is below b by more than a part tol of b.
func less(a, b, tol float64) bool { return a < b-float64(tol*math.Abs(b)) }
