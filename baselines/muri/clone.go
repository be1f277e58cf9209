package muri

import (
	"maps"
	"slices"

	"tarry/internal/assign"
	"tarry/sim"
	"tarry/sim/plan"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.matcher, c.target = assign.Matcher{}, plan.Target{}
	c.pools, c.turns, c.edges, c.mate, c.order, c.wants, c.gpus, c.claimed, c.claims, c.waits = nil, nil, nil, nil,
		nil, nil, nil, nil, nil, nil
	c.place = p.place.Clone()
	c.kinds = classes{of: maps.Clone(p.kinds.of), all: slices.Clone(p.kinds.all), times: maps.Clone(p.kinds.times)}
	c.numbers = nil
	c.room, c.shown, c.parts = room{}, nil, nil
	if p.program != nil {
		c.program = p.program.Clone()
	}
	c.list, c.of = make([]*member, len(p.list)), make(map[sim.JobID]*member, len(p.list))
	for i, m := range p.list {
		one := *m
		c.list[i], c.of[m.job] = &one, &one
	}
	c.ranked, c.lines = nil, make(lines, len(p.lines))
	for i, line := range p.lines {
		for _, m := range line {
			c.lines[i] = append(c.lines[i], c.of[m.job])
		}
	}
	c.groups = slices.Clone(p.groups)
	for i := range c.groups {
		g := &c.groups[i]
		for k, m := range g.members() {
			g.jobs[k] = c.of[m.job]
		}
	}
	return &c
}
