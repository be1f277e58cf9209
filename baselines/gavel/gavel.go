package gavel

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one Gavel scheduler. Build it with New; it belongs to one run.
type Policy struct {
	Book
	place *plan.Placer
	filling
	free   []int // scratch
	turns  []plan.Turn
	target plan.Target
	wants  []plan.Want
	stays  []sim.JobID // scratch: whose GPUs the jobs of a turn stay on
	both   plan.Demand // scratch
	// pending has a place in the present round and waits for its GPUs; held counts the jobs that
	// have some.
	pending []sim.JobID
	held    int

	last sim.Time   // when the fractions were computed; Never = not yet
	ends plan.Alarm // the end of the round
	from sim.Time   // when the first round of this busy time began
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), last: sim.Never}
	p.cfg = settings(s)
	if err := s.Err(); err != nil {
		return nil, err
	}
	p.alloc = p.cfg.entry.New()
	return p, nil
}

// Knows declares speeds and progress, and the work that is left where the objective reads it.
func (p *Policy) Knows() know.Set {
	k := know.Speed | know.Done
	if p.cfg.entry.Steps {
		k |= know.Work
	}
	if p.cfg.packing {
		k |= know.Profile
	}
	return k
}

// Decide follows what happened and, at the end of a round, chooses the next one; in between GPUs
// that come free are given out.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.rounds == nil {
		p.Begin(v)
		p.free, p.filling = make([]int, len(p.types)), newFilling(p.order, &p.cfg)
	}
	return p.native(v, out)
}
