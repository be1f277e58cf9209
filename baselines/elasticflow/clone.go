package elasticflow

import (
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.curves, c.placer = p.curves.Clone(), p.placer.Clone()
	c.arrived, c.counts, c.unused = slices.Clone(p.arrived), nil, nil
	c.free, c.spare, c.around, c.capacity, c.growing = nil, nil, nil, nil, nil
	c.members, c.best = cloneAll(p.members), p.best.clone()
	return &c
}
