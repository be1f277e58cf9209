package replay

import (
	"maps"
	"slices"
)

// Clone gives an independent copy at the same point.
func (r *Run) Clone() *Run {
	c := *r
	same := map[*Job]*Job{}
	copied := func(jobs []*Job) []*Job {
		out := slices.Clone(jobs)
		for i, j := range out {
			k := same[j]
			if k == nil {
				one := *j
				one.give, one.plan = slices.Clone(j.give), slices.Clone(j.plan)
				k, same[j] = &one, &one
			}
			out[i] = k
		}
		return out
	}
	c.jobs, c.run = copied(r.jobs), copied(r.run)
	c.wait = slices.Clone(r.wait)
	for i, a := range c.wait {
		c.wait[i].job = copied([]*Job{a.job})[0]
	}
	c.scale, c.free, c.cache, c.out = slices.Clone(r.scale), slices.Clone(r.free), maps.Clone(r.cache), nil
	c.place = newBlocks(r.cfg.GPUs, r.cfg.PerNode)
	return &c
}
