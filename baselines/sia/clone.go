package sia

import (
	"slices"

	"tarry/baselines/sia/ilp"
	"tarry/sim"
	"tarry/sim/plan"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.configs = slices.Clone(p.configs)
	c.curves, c.solver, c.target, c.place = p.curves.Clone(), p.solver.Clone(), plan.Target{}, placer{}
	c.problem = ilp.Problem{Rules: p.problem.Rules}
	c.unused, c.turn, c.picks, c.wants, c.old = nil, nil, nil, nil, nil
	c.alike = map[uint64]int{}
	c.members = slices.Clone(p.members)
	for i, m := range c.members {
		one := *m
		one.barred, one.rates, one.of = slices.Clone(m.barred), slices.Clone(m.rates), slices.Clone(m.of)
		for t := range one.of {
			one.of[t].obs = slices.Clone(m.of[t].obs)
		}
		c.members[i] = &one
	}
	return &c
}
