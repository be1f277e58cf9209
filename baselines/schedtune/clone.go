package schedtune

import (
	"slices"

	"tarry/baselines/colocate"
	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.draws = p.draws.Clone()
	c.queue, c.board = p.queue.Clone(), p.board.Clone()
	c.need, c.outs, c.later = slices.Clone(p.need), slices.Clone(p.outs), slices.Clone(p.later)
	c.limits, c.sizes, c.chosen = colocate.Limits{}, nil, choice{}
	return &c
}
