package tiresias

import (
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c, _ := p.CloneFor()
	return c
}

// CloneFor is Clone with the copy of the program beside it.
func (p *Policy) CloneFor() (*Policy, Program) {
	c := *p
	c.queues.jobs = slices.Clone(p.queues.jobs)
	c.queues.due = p.queues.due.Clone(nil)
	c.waiting, c.place, c.rebuild = p.waiting.Clone(), p.place.Clone(), p.rebuild.Clone()
	c.rebuild.Key, c.rebuild.Bound, c.rebuild.Put = c.Key, c.bound, c.Put
	if p.program != nil {
		c.program = p.program.Clone()
		c.program.Bind(&c)
	}
	c.consolidated, c.marks = slices.Clone(p.consolidated), slices.Clone(p.marks)
	c.fit = p.fit.clone()
	return &c, c.program
}
