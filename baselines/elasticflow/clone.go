package elasticflow

import (
	"slices"

	"tarry/sim"
	"tarry/sim/plan"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.curves, c.sizer, c.target, c.blocks = p.curves.Clone(), p.sizer.Clone(), plan.Target{}, blocks{}
	c.arrived, c.counts, c.unused = slices.Clone(p.arrived), nil, nil
	c.free, c.spare, c.around, c.capacity, c.growing = nil, nil, nil, nil, nil
	c.members = slices.Clone(p.members)
	for i, m := range c.members {
		one := *m
		one.levels, one.rates, one.plan = slices.Clone(m.levels), slices.Clone(m.rates), slices.Clone(m.plan)
		one.fresh, one.trial = nil, nil
		c.members[i] = &one
	}
	return &c
}
