package gavel

import (
	"maps"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.Book = *p.Book.Clone()
	c.place, c.free, c.pending = p.place.Clone(), slices.Clone(p.free), slices.Clone(p.pending)
	c.turns, c.wants, c.stays, c.target = nil, nil, nil, plan.Target{}
	if p.rounds != nil {
		c.filling = p.filling.clone()
	}
	return &c
}

// Clone gives an independent copy.
func (p *Book) Clone() *Book {
	c := *p
	c.alloc = p.alloc.Clone()
	c.shares = shares{}
	if c.rates.known = maps.Clone(p.rates.known); p.rates.empty != nil {
		c.rates.empty = cluster.NewFree(p.rates.empty.Topology())
	}
	c.usable, c.size = slices.Clone(p.usable), slices.Clone(p.size)
	c.rows, c.active = slices.Clone(p.rows), slices.Clone(p.active)
	c.rates.pairs = maps.Clone(p.rates.pairs)
	c.couples, c.unused, c.found = slices.Clone(p.couples), nil, nil
	if p.rounds != nil {
		c.rounds = p.rounds.Clone()
	}
	return &c
}
