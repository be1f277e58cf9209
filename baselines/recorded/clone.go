package recorded

import (
	"maps"
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.place, c.line, c.due, c.tasks = p.place.Clone(), p.line.Clone(), slices.Clone(p.due), maps.Clone(p.tasks)
	c.arena = nil
	c.names.seen = maps.Clone(p.names.seen)
	return &c
}
