package gandivafair

import (
	"maps"
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.place, c.demands = p.place.Clone(), p.demands.Clone()
	c.names, c.active, c.jobs = maps.Clone(p.names), slices.Clone(p.active), slices.Clone(p.jobs)
	c.rates, c.gens, c.isTouch = slices.Clone(p.rates), slices.Clone(p.gens), slices.Clone(p.isTouch)
	c.users, c.servers, c.wides = slices.Clone(p.users), slices.Clone(p.servers), slices.Clone(p.wides)
	for i := range c.users {
		o := &c.users[i]
		o.jobs, o.gens = slices.Clone(o.jobs), slices.Clone(o.gens)
	}
	for i := range c.servers {
		s := &c.servers[i]
		s.running, s.pending, s.slots = slices.Clone(s.running), slices.Clone(s.pending), slices.Clone(s.slots)
		for k := range s.slots {
			s.slots[k].queue = slices.Clone(s.slots[k].queue)
		}
	}
	for i := range c.wides {
		c.wides[i].parts = slices.Clone(c.wides[i].parts)
	}
	c.touched, c.again, c.scratch, c.order, c.hosts, c.spaces, c.out, c.buf = nil, nil, nil, nil, nil, nil, nil, nil
	c.wantedGens, c.least, c.rank, c.books, c.figures = nil, nil, nil, market{}, [3][]float64{}
	return &c
}
