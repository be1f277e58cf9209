package ones

import (
	"slices"

	"tarry/sim"
	"tarry/sim/plan"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.draws, c.model, c.curves, c.sizer, c.target = p.draws.Clone(), p.model.Clone(), p.curves.Clone(),
		p.sizer.Clone(), plan.Target{}
	c.apart, c.at, c.unused, c.memories, c.of = slices.Clone(p.apart), slices.Clone(p.at), nil, nil, slices.Clone(p.of)
	c.now, c.was, c.runs, c.wants, c.store, c.counts = nil, nil, nil, nil, nil, nil
	c.pools = slices.Clone(p.pools)
	for i := range c.pools {
		q := &c.pools[i]
		q.search, q.slots, q.jobs = q.search.Clone(), slices.Clone(q.slots), slices.Clone(q.jobs)
		q.present, q.target, q.desc, q.has, q.wants, q.limits = nil, nil, nil, nil, nil, nil
		for k, l := range q.jobs {
			one := *l
			if l.memory != nil {
				one.memory = &memory{speeds: slices.Clone(l.speeds), past: append(make([]point, 0, points), l.past...)}
			}
			q.jobs[k] = &one
		}
	}
	return &c
}
