package drf

import (
	"maps"
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.place, c.demands, c.nodes, c.index = p.place.Clone(), p.demands.Clone(), maps.Clone(p.nodes), maps.Clone(p.index)
	if p.tree != nil {
		c.tree = p.tree.Clone()
	}
	c.at, c.shapes, c.jobs, c.tenants = slices.Clone(p.at), slices.Clone(p.shapes), slices.Clone(p.jobs),
		slices.Clone(p.tenants)
	for i := range c.tenants {
		t := &c.tenants[i]
		t.running, t.lines = slices.Clone(t.running), slices.Clone(t.lines)
		for k := range t.lines {
			t.lines[k].jobs = slices.Clone(t.lines[k].jobs)
		}
	}
	c.victims, c.wants = nil, c.wanting()
	return &c
}
