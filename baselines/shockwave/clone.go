package shockwave

import (
	"slices"

	"tarry/baselines/shockwave/market"
	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.sizer, c.came = p.sizer.Clone(), slices.Clone(p.came)
	c.unused, c.block, c.counts, c.scratch, c.turns, c.empty = nil, nil, nil, nil, nil, nil
	if p.rounds != nil {
		c.rounds = p.rounds.Clone()
	}
	twin := map[*member]*member{}
	c.active = make([]*member, len(p.active))
	for i, m := range p.active {
		one := *m
		one.first, one.batch, one.modes = slices.Clone(m.first), slices.Clone(m.batch), slices.Clone(m.modes)
		c.active[i], twin[m] = &one, &one
	}
	twins := func(list []*member) []*member {
		out := make([]*member, len(list))
		for i, m := range list {
			out[i] = twin[m]
		}
		return out
	}
	c.round1 = twins(p.round1)
	if p.program != nil {
		c.program = p.program.Clone()
	}
	w := &c.window
	w.solver, w.problem.Jobs, w.priority, w.order, w.left, w.rest = market.Solver{}, nil, nil, nil, nil, nil
	w.jobs = make([][]*member, len(p.window.jobs))
	for r, list := range p.window.jobs {
		w.jobs[r] = twins(list)
	}
	return &c
}
