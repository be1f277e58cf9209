package ces

import (
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy between two decisions, to resume from a snapshot.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.inner = p.inner.Clone().(queue)
	c.machines, c.jobs, c.links = slices.Clone(p.machines), slices.Clone(p.jobs), slices.Clone(p.links)
	c.wants, c.bootGPUs, c.boots = slices.Clone(p.wants), slices.Clone(p.bootGPUs), slices.Clone(p.boots)
	c.asked, c.wanted = slices.Clone(p.asked), nil
	c.resting, c.series.ring = slices.Clone(p.resting), slices.Clone(p.series.ring)
	c.model.errors.ahead = slices.Clone(p.model.errors.ahead)
	return &c
}
