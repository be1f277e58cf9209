package slaq

import (
	"slices"

	"tarry/sim"
	"tarry/sim/loss"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.draws, c.sizer, c.curves, c.book = p.draws.Clone(), p.sizer.Clone(), p.curves.Clone(), slices.Clone(p.book)
	for i := range c.book {
		if r := p.book[i].reports; r != nil {
			c.book[i].reports = append(make([]loss.Point, 0, p.points), r...)
		}
	}
	c.left, c.heap, c.counts, c.spare = nil, nil, nil, nil
	return &c
}
