package themis

import (
	"maps"
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := &Policy{cfg: p.cfg, book: p.book.clone(), sizer: p.sizer.Clone(), curves: p.curves.Clone(),
		won: slices.Clone(p.won), draws: p.draws.Clone()}
	c.classes.known = maps.Clone(p.classes.known)
	return c
}

func (b *book) clone() book {
	c := *b
	c.apps, c.vacant, c.live, c.of = slices.Clone(b.apps), slices.Clone(b.vacant), slices.Clone(b.live),
		slices.Clone(b.of)
	for i := range c.apps {
		c.apps[i].jobs = slices.Clone(b.apps[i].jobs)
	}
	c.byName, c.spare = maps.Clone(b.byName), nil
	return c
}
