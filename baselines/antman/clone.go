package antman

import (
	"maps"
	"slices"

	"tarry/baselines/colocate"
	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.draws = p.draws.Clone()
	c.board, c.spare, c.limits, c.names, c.mixed = p.board.Clone(), p.spare.Clone(), colocate.Limits{},
		maps.Clone(p.names), mix{round: p.mixed.round}
	c.calm, c.leaders, c.online = calm{}, nil, p.online.clone()
	c.jobs, c.runs, c.guests, c.waits = slices.Clone(p.jobs), slices.Clone(p.runs), slices.Clone(p.guests),
		slices.Clone(p.waits)
	c.tenants = slices.Clone(p.tenants)
	for i := range c.tenants {
		c.tenants[i].queue = p.tenants[i].queue.Clone()
	}
	return &c
}
