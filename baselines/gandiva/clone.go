package gandiva

import (
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.place, c.wide = p.place.Clone(), p.wide.Clone()
	c.home, c.run0, c.narrow, c.isTouch = slices.Clone(p.home), slices.Clone(p.run0), slices.Clone(p.narrow),
		slices.Clone(p.isTouch)
	c.homeless = slices.Clone(p.homeless)
	c.visits = slices.Clone(p.visits)
	for i := range c.visits {
		c.visits[i].parts = slices.Clone(c.visits[i].parts)
	}
	c.pals = slices.Clone(p.pals)
	c.hosts, c.guests, c.trying, c.spare = nil, nil, slices.Clone(p.trying), nil
	c.more, c.shrunk, c.grown, c.listed, c.gpus = slices.Clone(p.more), slices.Clone(p.shrunk), slices.Clone(p.grown),
		slices.Clone(p.listed), nil
	c.due = p.due.Clone(nil)
	c.again, c.touched, c.scratch, c.moved, c.buf, c.out = nil, nil, nil, nil, nil, nil
	if p.fleet != nil {
		c.fleet = p.fleet.clone()
	}
	return &c
}

func (f *fleet) clone() *fleet {
	c := &fleet{servers: slices.Clone(f.servers), groups: slices.Clone(f.groups), pos: slices.Clone(f.pos),
		crowded: f.crowded.Clone(nil)}
	for i := range c.servers {
		s := &c.servers[i]
		s.ruled = slices.Clone(s.ruled)
		s.running, s.suspended.jobs = slices.Clone(s.running), slices.Clone(s.suspended.jobs)
	}
	for i := range c.groups {
		c.groups[i].heap = f.groups[i].heap.Clone(c.pos)
	}
	return c
}
