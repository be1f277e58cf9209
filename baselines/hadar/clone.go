package hadar

import (
	"slices"

	"tarry/sim"
	"tarry/sim/plan"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.target, c.books = plan.Target{}, p.books.Clone()
	c.hosts, c.types, c.jobs, c.rates = slices.Clone(p.hosts), slices.Clone(p.types), slices.Clone(p.jobs),
		slices.Clone(p.rates)
	c.active, c.wants = slices.Clone(p.active), slices.Clone(p.wants)
	c.held = nil
	for i := range c.wants {
		c.wants[i].GPUs = slices.Clone(c.wants[i].GPUs)
	}
	c.queue, c.rest, c.buf, c.taken = nil, nil, nil, slices.Clone(p.taken)
	c.find, c.search = finder{}, search{}
	if f := p.forks; f != nil {
		c.forks = &forks{part: f.part, gbps: f.gbps, set: f.set, bytes: map[string]float64{}}
	}
	return &c
}
