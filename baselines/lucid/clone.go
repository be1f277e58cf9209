package lucid

import (
	"maps"
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.place, c.demand, c.jobs, c.line = p.place.Clone(), p.demand.Clone(), slices.Clone(p.jobs), slices.Clone(p.line)
	c.runs, c.turns = slices.Clone(p.runs), p.turns
	c.turns.index, c.turns.placed, c.turns.paired = maps.Clone(p.turns.index), slices.Clone(p.turns.placed),
		slices.Clone(p.turns.paired)
	for i := range c.runs {
		c.runs[i] = slices.Clone(p.runs[i])
	}
	c.freed, c.grown, c.list = nil, nil, nil
	q := &c.pool
	q.in, q.queue, q.ghosts, q.held = slices.Clone(q.in), slices.Clone(q.queue), slices.Clone(q.ghosts),
		slices.Clone(q.held)
	s := &c.scores
	s.index, s.keep, s.sum, s.seen = maps.Clone(s.index), slices.Clone(s.keep), slices.Clone(s.sum),
		slices.Clone(s.seen)
	for i := range s.keep {
		s.keep[i] = slices.Clone(s.keep[i])
	}
	return &c
}
