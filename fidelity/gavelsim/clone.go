package gavelsim

import (
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.book, c.place = p.book.Clone(), p.place.Clone()
	c.wait, c.runs, c.failed = slices.Clone(p.wait), slices.Clone(p.runs), slices.Clone(p.failed)
	c.turns, c.order = nil, nil
	return &c
}
