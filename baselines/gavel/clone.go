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
	c.alloc, c.place = p.alloc.Clone(), p.place.Clone()
	c.shares = shares{}
	if c.rates.known = maps.Clone(p.rates.known); p.rates.empty != nil {
		c.rates.empty = cluster.NewFree(p.rates.empty.Topology())
	}
	c.usable, c.size, c.free = slices.Clone(p.usable), slices.Clone(p.size), slices.Clone(p.free)
	c.rows, c.active, c.pending = slices.Clone(p.rows), slices.Clone(p.active), slices.Clone(p.pending)
	c.rates.pairs = maps.Clone(p.rates.pairs)
	c.turns, c.wants, c.stays, c.target = nil, nil, nil, plan.Target{}
	c.couples, c.unused, c.found = slices.Clone(p.couples), nil, nil
	if p.rounds != nil {
		c.rounds, c.filling = p.rounds.Clone(), p.filling.clone()
	}
	if p.old != nil {
		old := *p.old
		old.wait, old.runs, old.order = slices.Clone(old.wait), slices.Clone(old.runs), nil
		c.old = &old
	}
	return &c
}
