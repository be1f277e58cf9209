package slaq

import (
	"fmt"
	"slices"

	"tarry/sim"
	"tarry/sim/loss"
	"tarry/sim/rng"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.draws, c.sizer, c.curves, c.book = &rng.Stream{}, p.sizer.Clone(), p.curves.Clone(), slices.Clone(p.book)
	for i := range c.book {
		if r := p.book[i].reports; r != nil {
			c.book[i].reports = append(make([]loss.Point, 0, p.points), r...)
		}
	}
	state, err := p.draws.MarshalBinary()
	if err == nil {
		err = c.draws.UnmarshalBinary(state)
	}
	if err != nil {
		panic(fmt.Errorf("slaq: a stream does not read its own state: %w", err))
	}
	c.left, c.heap, c.counts, c.spare = nil, nil, nil, nil
	return &c
}
