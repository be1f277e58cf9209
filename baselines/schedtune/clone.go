package schedtune

import (
	"fmt"
	"slices"

	"tarry/baselines/colocate"
	"tarry/sim"
	"tarry/sim/rng"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.draws = &rng.Stream{}
	state, err := p.draws.MarshalBinary()
	if err == nil {
		err = c.draws.UnmarshalBinary(state)
	}
	if err != nil {
		panic(fmt.Errorf("schedtune: a stream does not read its own state: %w", err))
	}
	c.queue, c.board = p.queue.Clone(), p.board.Clone()
	c.need, c.outs, c.later = slices.Clone(p.need), slices.Clone(p.outs), slices.Clone(p.later)
	c.limits, c.sizes, c.chosen = colocate.Limits{}, nil, choice{}
	return &c
}
