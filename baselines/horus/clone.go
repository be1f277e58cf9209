package horus

import (
	"fmt"
	"slices"

	"tarry/sim"
	"tarry/sim/rng"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.place, c.demand, c.line, c.guesses = p.place.Clone(), p.demand.Clone(), slices.Clone(p.line), slices.Clone(p.guesses)
	c.gpus, c.plans = gpus{}, plans{}
	if p.draws != nil {
		c.draws = &rng.Stream{}
		state, err := p.draws.MarshalBinary()
		if err == nil {
			err = c.draws.UnmarshalBinary(state)
		}
		if err != nil {
			panic(fmt.Errorf("horus: a stream does not read its own state: %w", err))
		}
	}
	return &c
}
