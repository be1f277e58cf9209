package optimus

import (
	"fmt"
	"slices"

	"tarry/sim"
	"tarry/sim/loss"
	"tarry/sim/rng"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := &Policy{settings: p.settings, draws: &rng.Stream{}, curves: p.curves.Clone(), sizer: p.sizer.Clone(), placer: p.placer.Clone(), book: slices.Clone(p.book),
		tables: slices.Clone(p.tables), next: p.next}
	for i := range c.book {
		l := &c.book[i]
		l.measured, l.estimate = slices.Clone(l.measured), slices.Clone(l.estimate)
		if l.reports != nil {
			l.reports = append(make([]loss.Point, 0, p.points), l.reports...)
		}
	}
	for i := range c.tables {
		c.tables[i].steps = slices.Clone(c.tables[i].steps)
	}
	state, err := p.draws.MarshalBinary()
	if err == nil {
		err = c.draws.UnmarshalBinary(state)
	}
	if err != nil {
		panic(fmt.Errorf("optimus: a stream does not read its own state: %w", err))
	}
	return c
}
