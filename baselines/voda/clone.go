package voda

import (
	"slices"

	"tarry/baselines/voda/allocate"
	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.rule, c.sizer, c.curves, c.queues = p.rule.clone(), p.sizer.Clone(), p.curves.Clone(), p.queues.clone()
	c.apart, c.at = slices.Clone(p.apart), slices.Clone(p.at)
	c.pools = slices.Clone(p.pools)
	for i := range c.pools {
		q := &c.pools[i]
		q.ids, q.jobs, q.gpus = slices.Clone(q.ids), append([]allocate.Job(nil), q.jobs...), nil
		q.ranks, q.served = slices.Clone(q.ranks), nil
	}
	c.counts, c.starts, c.grid, c.stamp = nil, nil, make([]uint32, len(p.grid)), 0
	return &c
}
