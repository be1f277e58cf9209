package horus

import (
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.place, c.demand, c.line, c.guesses = p.place.Clone(), p.demand.Clone(), slices.Clone(p.line),
		slices.Clone(p.guesses)
	c.gpus, c.plans = gpus{}, plans{}
	c.draws = p.draws.Clone()
	return &c
}
