package hived

import (
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions. What
// never changes is shared.
func (p *Policy) Clone() sim.Policy {
	c := *p
	if p.cells != nil {
		c.cells = p.cells.Clone()
	}
	c.lines = make([]line, len(p.lines))
	for i := range p.lines {
		c.lines[i] = p.lines[i].clone()
	}
	c.jobs, c.reserves, c.bad = slices.Clone(p.jobs), slices.Clone(p.reserves), slices.Clone(p.bad)
	c.list = nil
	return &c
}
