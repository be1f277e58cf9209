package objective

import "math"

// Makespan is the smallest T such that every job can do its steps in T seconds: sum_j T_mj x_mj >=
// steps_m / T. That is one linear problem in 1/T. The objective is T. Of several optima it takes
// one of the largest sum of rates, each as a part of what the job needs. Untyped: every type has
// the rate of the input's Reference.
type Makespan struct {
	// Typed: throughputs by type are read.
	Typed bool
	// Bisect: T is not the optimum but what Gavel's bisection ends with, which is up to 5 % above;
	// see Bisection. The fractions are the cheapest that reach it.
	Bisect bool

	level level
	flat  []float64
}

// Clone implements Allocator.
func (a *Makespan) Clone() Allocator {
	return &Makespan{Typed: a.Typed, Bisect: a.Bisect, level: a.level.clone()}
}

// Allocate implements Allocator.
func (a *Makespan) Allocate(in *Input, x *Matrix) (float64, error) {
	rates := in.Throughput
	if !a.Typed {
		a.flat = reference(in, a.flat)
		rates = a.flat
	}
	l, types := &a.level, in.Types()
	if err := l.open(in, rates, true); err != nil {
		return 0, err
	}
	for m, scale := range in.Scale {
		if row := rates[m*types:][:types]; l.runs(row) {
			l.add(m, row, scale, need{steps: in.Steps[m], due: 1})
		}
	}
	q, err := l.allocate(in, x)
	if err != nil {
		return 0, err
	}
	longest := 0.0
	for i, m := range l.jobs {
		longest = max(longest, l.need(i).steps/got(rates[int(m)*types:][:types], x.Row(int(m))))
	}
	if a.Bisect && len(l.jobs) > 0 {
		if longest, err = a.bisect(in, x, 1/q); err != nil {
			return 0, err
		}
	}
	if l.lack {
		return math.Inf(1), nil
	}
	return longest, nil
}

// bisect replaces the optimum by Gavel's.
func (a *Makespan) bisect(in *Input, x *Matrix, optimum float64) (float64, error) {
	t := Bisection(optimum)
	stretch, err := a.level.at(1 / t)
	if err != nil {
		return 0, err
	}
	x.Reset(in.Rows(), in.Types())
	a.level.write(&a.level.solver, x, min(1/stretch, 1))
	return t, nil
}

// Bisection is the T with which Gavel's loop ends when T is feasible from the optimum on: from 100
// to 10^6 s, halved until the bounds are within 5 %; ten times as far when nothing there is
// feasible.
func Bisection(optimum float64) float64 {
	if !(optimum < math.MaxFloat64/100) {
		return math.Inf(1)
	}
	low, high, last := 100.0, 1e6, math.Inf(1)
	for {
		for 1.05*low < high {
			if t := (low + high) / 2; t >= optimum {
				high, last = t, t
			} else {
				low = t
			}
		}
		if !math.IsInf(last, 1) {
			return last
		}
		low, high = high, 10*high
	}
}
