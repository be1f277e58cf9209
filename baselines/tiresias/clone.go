package tiresias

import (
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.queues.jobs = slices.Clone(p.queues.jobs)
	c.queues.due = p.queues.due.Clone(nil)
	c.waiting, c.place, c.rebuild = p.waiting.Clone(), p.place.Clone(), p.rebuild.Clone()
	c.rebuild.Key, c.rebuild.Put = c.key, c.put
	if c.fallen = nil; p.roster != nil {
		r := p.roster.Clone()
		c.roster = &r
		c.roster.Key, c.roster.Put = c.newRoster().Key, c.put
	}
	c.consolidated, c.marks = slices.Clone(p.consolidated), slices.Clone(p.marks)
	c.fit = p.fit.clone()
	return &c
}
