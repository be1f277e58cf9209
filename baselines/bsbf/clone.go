package bsbf

import (
	"maps"
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.place = p.place.Clone()
	c.queue = p.queue.clone()
	c.slow = slow{rate: table(p.rate), known: table(p.known)}
	c.floor, c.out, c.met, c.begun, c.trial = floor{}, nil, nil, nil, nil
	return &c
}

func (q *queue) clone() queue {
	c := queue{index: maps.Clone(q.index), of: slices.Clone(q.of), waits: slices.Clone(q.waits),
		pos: slices.Clone(q.pos), waiting: q.waiting}
	for _, k := range q.kinds {
		one := *k
		one.heap = k.heap.Clone(c.pos)
		c.kinds = append(c.kinds, &one)
	}
	return c
}

func table(t [][]float64) [][]float64 {
	c := slices.Clone(t)
	for i := range c {
		c[i] = slices.Clone(c[i])
	}
	return c
}
