package iadeep

import (
	"slices"

	"tarry/baselines/colocate"
	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.queue, c.board, c.limits, c.table = p.queue.Clone(), p.board.Clone(), colocate.Limits{}, p.table.Clone()
	c.tuned, c.closed, c.solo, c.tunings = slices.Clone(p.tuned), slices.Clone(p.closed), slices.Clone(p.solo),
		slices.Clone(p.tunings)
	c.group, c.models, c.here = nil, nil, nil
	for i := range c.tunings { // groups, tasks and GPUs do not change
		if t := &c.tunings[i]; t.search != nil {
			t.search = t.search.Clone()
		}
	}
	return &c
}
