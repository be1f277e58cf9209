package philly

import (
	"maps"
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.place, c.byName, c.index, c.byNeed = p.place.Clone(), maps.Clone(p.byName), maps.Clone(p.index),
		maps.Clone(p.byNeed)
	c.jobs, c.vcs, c.kinds, c.demands = slices.Clone(p.jobs), slices.Clone(p.vcs), slices.Clone(p.kinds),
		slices.Clone(p.demands)
	for i := range c.vcs {
		c.vcs[i].kinds, c.vcs[i].has = slices.Clone(c.vcs[i].kinds), slices.Clone(c.vcs[i].has)
	}
	for i := range c.kinds {
		for l := range c.kinds[i].lines {
			c.kinds[i].lines[l].jobs = slices.Clone(c.kinds[i].lines[l].jobs)
		}
	}
	c.holds, c.backs, c.up = slices.Clone(p.holds), slices.Clone(p.backs), slices.Clone(p.up)
	for i := range c.holds {
		h := &c.holds[i]
		h.pins, h.gpus, h.want = slices.Clone(h.pins), slices.Clone(h.gpus), slices.Clone(h.want)
	}
	c.buf = scratch{racks: slices.Clone(p.buf.racks)}
	return &c
}
