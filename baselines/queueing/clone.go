package queueing

import (
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy between two decisions, to continue from a snapshot.
func (l *line) Clone() sim.Policy {
	c := *l
	c.queue, c.place, c.steps = l.queue.Clone(), l.place.Clone(), l.steps.clone()
	return &c
}

// Clone gives an independent copy between two decisions, to continue from a snapshot.
func (r *remaining) Clone() sim.Policy {
	return &remaining{know: r.know, queue: r.queue.Clone(), place: r.place.Clone(), rebuild: r.rebuild.Clone(),
		byLaw: r.byLaw}
}

// Clone gives an independent copy between two decisions, to continue from a snapshot.
func (p *deadlineFirst) Clone() sim.Policy {
	c := *p
	c.queue, c.place, c.rebuild, c.starts = p.queue.Clone(), p.place.Clone(), p.rebuild.Clone(), slices.Clone(p.starts)
	return &c
}

// Clone gives an independent copy between two decisions, to continue from a snapshot.
func (l *las) Clone() sim.Policy {
	c := *l
	c.urgent, c.queue, c.place, c.rebuild = slices.Clone(l.urgent), l.queue.Clone(), l.place.Clone(), l.rebuild.Clone()
	c.rebuild.Key, c.rebuild.Bound, c.rebuild.Weight = c.key, c.bound, c.waitsSince
	return &c
}

// Clone gives an independent copy between two decisions, to continue from a snapshot.
func (e *easy) Clone() sim.Policy {
	return &easy{queue: e.queue.Clone(), place: e.place.Clone(), ends: e.ends.Clone(), guess: e.guess,
		spot: e.spot.Clone()}
}

// Clone gives an independent copy between two decisions, to continue from a snapshot.
func (c *conservative) Clone() sim.Policy {
	d := *c
	d.queue, d.place = c.queue.Clone(), c.place.Clone()
	d.waiting, d.profile, d.ends, d.spot = slices.Clone(c.waiting), c.profile.Clone(), c.ends.Clone(),
		c.spot.Clone()
	d.beyond, d.bounds = c.beyond.clone(), c.bounds.Clone()
	return &d
}
