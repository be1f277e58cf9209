package ffdl

import (
	"maps"
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.place, c.index = p.place.Clone(), maps.Clone(p.index)
	c.queues, c.jobs, c.shapes, c.hosts = slices.Clone(p.queues), slices.Clone(p.jobs), slices.Clone(p.shapes),
		slices.Clone(p.hosts)
	for i := range c.queues {
		q := &c.queues[i]
		q.lines = slices.Clone(q.lines)
		for n := range q.lines {
			q.lines[n].jobs = slices.Clone(q.lines[n].jobs)
		}
	}
	for i := range c.shapes {
		c.shapes[i].jobs = slices.Clone(c.shapes[i].jobs)
	}
	c.loose = slices.Clone(p.loose)
	for i := range c.loose {
		c.loose[i].gpus = slices.Clone(c.loose[i].gpus)
	}
	c.order, c.cards, c.spare, c.buf = nil, nil, nil, p.buf.clone()
	c.tenants, c.byVC, c.frees, c.gone, c.stops = slices.Clone(p.tenants), maps.Clone(p.byVC), slices.Clone(p.frees),
		nil, nil
	c.draws = p.draws.Clone()
	return &c
}

// clone gives a copy of the same size, and of what the next decision takes back.
func (b *scratch) clone() scratch {
	return scratch{free: slices.Clone(b.free), req: slices.Clone(b.req), scores: slices.Clone(b.scores),
		pods: slices.Clone(b.pods),
		now:  slices.Clone(b.now), room: slices.Clone(b.room), drawn: slices.Clone(b.drawn),
		touched: slices.Clone(b.touched)}
}
