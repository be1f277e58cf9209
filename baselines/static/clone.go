package static

import (
	"maps"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (c *consolidate) Clone() sim.Policy {
	d := *c
	d.queue, d.place, d.finest = c.queue.Clone(), c.place.Clone(), maps.Clone(c.finest)
	d.boundOf = d.bound
	return &d
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (c *scatter) Clone() sim.Policy {
	return &scatter{queue: c.queue.Clone(), place: c.place.Clone()}
}
