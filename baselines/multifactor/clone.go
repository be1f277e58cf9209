package multifactor

import (
	"maps"
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.place, c.queue, c.profile, c.tree = p.place.Clone(), p.queue.Clone(), p.profile.Clone(), p.tree.Clone()
	c.ends, c.jobs, c.waiting, c.running = p.ends.Clone(), slices.Clone(p.jobs), slices.Clone(p.waiting),
		slices.Clone(p.running)
	c.accounts, c.users = maps.Clone(p.accounts), maps.Clone(p.users)
	c.held, c.victims, c.spot = nil, nil, p.spot.Clone()
	return &c
}
