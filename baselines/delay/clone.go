package delay

import (
	"maps"
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
// Timers from a caller are shared.
func (p *Policy) Clone() sim.Policy { return p.copy() }

func (p *Policy) copy() *Policy {
	c := *p
	c.waits = p.waits.Clone()
	c.queue, c.place = p.queue.Clone(), p.place.Clone()
	c.kinds, c.index = slices.Clone(p.kinds), maps.Clone(p.index)
	if p.fair != nil {
		c.fair = p.fair.clone()
	}
	c.boundOf, c.eachLeft = c.bound, c.declined
	return &c
}

func (f *fair) clone() *fair {
	c := &fair{users: maps.Clone(f.users), holds: slices.Clone(f.holds), weight: slices.Clone(f.weight),
		lines: slices.Clone(f.lines),
		line:  slices.Clone(f.line), byWhat: maps.Clone(f.byWhat), of: slices.Clone(f.of)}
	for i := range c.lines {
		c.lines[i] = slices.Clone(c.lines[i])
	}
	for i := range c.line {
		c.line[i].jobs = slices.Clone(c.line[i].jobs)
	}
	return c
}
