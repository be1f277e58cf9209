package heet

import (
	"slices"

	"tarry/internal/assign"
	"tarry/sim"
	"tarry/sim/plan"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.queue, c.place, c.left = p.queue.Clone(), p.place.Clone(), slices.Clone(p.left)
	c.speeds.byName, c.speeds.gpus = map[string]*table{}, nil
	for name, t := range p.speeds.byName {
		k := *t
		k.known = slices.Clone(t.known)
		c.speeds.byName[name] = &k
	}
	c.target, c.solver, c.weights = plan.Target{}, assign.Solver{}, weights{}
	c.parts, c.waited, c.sizes, c.columns, c.rows, c.wants = nil, nil, nil, nil, nil, nil
	return &c
}
