package gavel

import "tarry/sim/rng"

// filling is the order in which the types of a native round get their jobs.
type filling struct {
	columns []int // the order of this round
	ranked  []int // the fastest first
	mean    []float64
	draws   *rng.Stream // of the shuffles; nil = there are none
}

// newFilling begins with the order in which the cluster names the types.
func newFilling(order []int, c *config) filling {
	f := filling{columns: append([]int(nil), order...), ranked: append([]int(nil), order...),
		mean: make([]float64, len(order))}
	if c.types == "shuffled" && len(order) > 1 {
		f.draws = rng.Source{Seed: c.seed, Experiment: "gavel"}.Stream("order of types")
	}
	return f
}

// clone gives an independent copy.
func (f *filling) clone() filling {
	c := filling{columns: append([]int(nil), f.columns...), ranked: append([]int(nil), f.ranked...),
		mean: make([]float64, len(f.mean))}
	c.draws = f.draws.Clone()
	return c
}

// rank orders the types by speed, the fastest first: by the mean over the active jobs of a type's
// throughput over the throughput on the job's best type. Types that are equal stay in the order of
// their names, so that the order in which the cluster names them does not count.
func (p *Policy) rank() {
	f := &p.filling
	clear(f.mean)
	for _, j := range p.active {
		rate, best := p.of(j).rate, 0.0
		for _, t := range rate {
			best = max(best, t)
		}
		for c, t := range rate {
			if t > 0 {
				f.mean[c] += t / best
			}
		}
	}
	for c := range f.ranked { // columns are in the order of names
		i := c
		for ; i > 0 && f.mean[f.ranked[i-1]] < f.mean[c]; i-- {
			f.ranked[i] = f.ranked[i-1]
		}
		f.ranked[i] = c
	}
	if p.cfg.types != "cluster" { // for agnostic objectives, as in Gavel, the fastest
		p.ref = f.ranked[0]
	}
}

// arrange sets the order of a round.
func (p *Policy) arrange() {
	f := &p.filling
	switch {
	case p.cfg.types == "fastest":
		copy(f.columns, f.ranked)
	case f.draws != nil:
		for c := range f.columns {
			f.columns[c] = c
		}
		for i := len(f.columns) - 1; i > 0; i-- {
			k := f.draws.IntN(i + 1)
			f.columns[i], f.columns[k] = f.columns[k], f.columns[i]
		}
	}
}
