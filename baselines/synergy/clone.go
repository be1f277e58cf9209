package synergy

import (
	"maps"
	"slices"

	"tarry/sim"
	"tarry/sim/plan"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
// Profiles do not change and are shared.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.profiler.index, c.profiler.list, c.profiler.empty, c.profiler.gpus,
		c.profiler.shape = maps.Clone(p.profiler.index), slices.Clone(p.profiler.list), nil, nil, nil
	c.active, c.line, c.types, c.wants = slices.Clone(p.active), nil, nil, slices.Clone(p.wants)
	for i := range c.wants {
		c.wants[i].GPUs = slices.Clone(c.wants[i].GPUs)
	}
	c.pack, c.chooser = packer{}, chooser{}
	c.target = plan.Target{}
	return &c
}
