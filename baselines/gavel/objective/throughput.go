package objective

import (
	"errors"
	"math"

	"tarry/internal/choice"
)

// Throughput maximises sum_m sum_j T_mj x_mj / cost_j, optionally with sum_j T_mj x_mj >= steps_m /
// SLO_m for every job that has an SLO. When that is not possible, it drops all SLOs, as Gavel does.
// The objective is the sum. Nothing orders several optima.
type Throughput struct {
	// Priced: the input's costs are read; else they are all 1.
	Priced bool
	// Limits: the input's SLOs are kept when they can be.
	Limits bool

	level   level
	missed  bool
	starved bool // a job with an SLO can run nowhere
	limited choice.Solver
}

// Clone implements Allocator.
func (a *Throughput) Clone() Allocator {
	c := &Throughput{Priced: a.Priced, Limits: a.Limits, level: a.level.clone()}
	c.limited.Price = append(c.limited.Price, a.limited.Price...)
	return c
}

// Missed reports whether the last answer dropped the SLOs.
func (a *Throughput) Missed() bool { return a.missed }

// Allocate implements Allocator.
func (a *Throughput) Allocate(in *Input, x *Matrix) (float64, error) {
	l := &a.level
	a.missed = false
	x.Reset(in.Rows(), in.Types())
	if err := a.enter(in); err != nil || len(l.jobs) == 0 {
		return 0, err
	}
	solver := &l.filler
	limits := a.Limits && len(in.SLOS) > 0
	err := error(nil)
	if limits {
		solver = &a.limited
		if a.missed = a.starved; !a.missed {
			a.pose(in, true)
			_, err = solver.Minimise(&l.problem)
			a.missed = errors.Is(err, choice.ErrInfeasible)
		}
	}
	if !limits || a.missed {
		solver = &l.filler
		a.pose(in, false)
		_, err = solver.Minimise(&l.problem)
	}
	if err != nil {
		return 0, err
	}
	l.write(solver, x, 1)
	sum := 0.0
	for _, m := range l.jobs {
		for j, v := range x.Row(int(m)) {
			sum += float64(v*in.Throughput[int(m)*in.Types()+j]) / a.price(in, j)
		}
	}
	return sum, nil
}

// price of a type.
func (a *Throughput) price(in *Input, j int) float64 {
	if !a.Priced {
		return 1
	}
	return in.cost(j)
}

// enter takes the jobs; the rate that an SLO asks for is their need.
func (a *Throughput) enter(in *Input) error {
	l, types := &a.level, in.Types()
	if err := l.open(in, in.Throughput, !a.Priced); err != nil {
		return err
	}
	a.starved = false
	for m, s := range in.Scale {
		r := 0.0
		if a.Limits && len(in.SLOS) > 0 && !math.IsInf(in.SLOS[m], 1) {
			r = in.Steps[m] / in.SLOS[m]
		}
		if row := in.Throughput[m*types:][:types]; l.runs(row) {
			l.add(m, row, s, need{steps: r, due: 1})
		} else if r > 0 {
			a.starved = true
		}
	}
	return nil
}

// pose builds the problem, with or without the needs. The ways of a job are the vertices of {sum_j
// T_j x_j >= r, sum_j x_j <= 1}.
func (a *Throughput) pose(in *Input, limits bool) {
	l := &a.level
	l.problem.Reset(l.caps)
	l.ways = l.ways[:0]
	for i := range l.needs {
		r := l.needs[i].steps
		if !limits {
			r = 0
		}
		if r == 0 {
			l.option(i, 0, -1, 0, 0, 0)
		}
		floor := r * reach
		row := l.row(i)
		for j, t := range row {
			if t < floor || t == 0 {
				continue
			}
			worth := t / a.price(in, int(l.types[j]))
			l.option(i, j, -1, 1, 0, -worth)
			if x := r / t; r > 0 && x < 1-sliver {
				l.option(i, j, -1, x, 0, -x*worth)
			}
			for k, b := range row {
				if b < floor {
					if x := (r - b) / (t - b); x < 1-sliver {
						l.option(i, j, k, x, 1-x, -float64(x*worth)-float64((1-x)*b)/a.price(in, int(l.types[k])))
					}
				}
			}
		}
		l.problem.Close()
	}
}
