package miger

import (
	"maps"
	"slices"

	"tarry/baselines/miger/layout"
	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.place = p.place.Clone()
	c.classes, c.classAt = slices.Clone(p.classes), slices.Clone(p.classAt)
	c.kinds, c.index = slices.Clone(p.kinds), maps.Clone(p.index)
	for i := range c.kinds {
		c.kinds[i].waiting, c.kinds[i].tables = slices.Clone(p.kinds[i].waiting), slices.Clone(p.kinds[i].tables)
	}
	c.kindOf, c.cellOf = slices.Clone(p.kindOf), slices.Clone(p.cellOf)
	c.cells, c.active = slices.Clone(p.cells), slices.Clone(p.active)
	c.matches, c.bests = maps.Clone(p.matches), maps.Clone(p.bests)
	c.eased, c.barred, c.solver = nil, nil, layout.Solver{}
	return &c
}
