package pollux

import (
	"maps"
	"slices"

	"tarry/sim"
	"tarry/sim/plan"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := &Policy{cfg: p.cfg, search: p.search.Clone(), nodes: slices.Clone(p.nodes), active: slices.Clone(p.active),
		apart: slices.Clone(p.apart),
		queue: p.queue.Clone(), place: p.place.Clone(), next: p.next, wakes: p.wakes, calm: p.calm,
		barred: maps.Clone(p.barred), taken: make([]bool, len(p.taken)), books: slices.Clone(p.books)}
	for i, b := range c.books {
		if b != nil {
			one := *b
			one.seen, one.cache.of = slices.Clone(b.seen), slices.Clone(b.cache.of)
			c.books[i] = &one
		}
	}
	c.problem = p.problem
	c.problem.GPUs, c.problem.Jobs, c.problem.Cancelled = slices.Clone(p.problem.GPUs), nil, nil
	c.target = plan.Target{}
	return c
}
