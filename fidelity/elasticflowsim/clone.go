package elasticflowsim

import (
	"maps"
	"slices"

	"tarry/sim"
	"tarry/sim/plan"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.curves, c.target, c.store, c.wants = p.curves.Clone(), plan.Target{}, nil, nil
	c.lagging, c.logged, c.jobs = slices.Clone(p.lagging), slices.Clone(p.logged), maps.Clone(p.jobs)
	if p.run != nil {
		c.run = p.run.Clone()
	}
	return &c
}
