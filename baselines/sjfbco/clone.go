package sjfbco

import (
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy between two decisions, to resume from a snapshot.
func (p *policy) Clone() sim.Policy {
	c := *p
	c.queue, c.place = p.queue.Clone(), p.place.Clone()
	c.planner = planner{alpha: p.alpha, steps: p.steps, byMean: p.byMean, machine: p.machine, first: p.first,
		types: p.types, base: slices.Clone(p.base), holder: slices.Clone(p.holder), links: slices.Clone(p.links)}
	c.perType, c.room, c.promised = slices.Clone(p.perType), slices.Clone(p.room), slices.Clone(p.promised)
	return &c
}
