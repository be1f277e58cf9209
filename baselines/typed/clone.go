package typed

import (
	"slices"

	"tarry/baselines/ranked"
	"tarry/sim"
	"tarry/sim/plan"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.by = p.by.Copied(nil).(*ranked.Ranker)
	c.books, c.place, c.target = p.books.Clone(), p.place.Clone(), plan.Target{}
	c.rates, c.best, c.to = slices.Clone(p.rates), slices.Clone(p.best), slices.Clone(p.to)
	c.active, c.scarce, c.free = slices.Clone(p.active), slices.Clone(p.scarce), slices.Clone(p.free)
	c.firm = slices.Clone(p.firm)
	c.size, c.up = slices.Clone(p.size), slices.Clone(p.up)
	c.pairs, c.turns, c.wants, c.buf = nil, nil, nil, nil
	return &c
}
