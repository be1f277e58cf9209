package optimus

import (
	"slices"

	"tarry/sim"
	"tarry/sim/loss"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := &Policy{settings: p.settings, draws: p.draws.Clone(), curves: p.curves.Clone(), sizer: p.sizer.Clone(),
		placer: p.placer.Clone(), book: slices.Clone(p.book), next: p.next, gone: p.gone}
	if p.outlook != nil {
		c.outlook = p.outlook.Clone()
	}
	for i := range c.book {
		l := &c.book[i]
		l.measured, l.estimate = slices.Clone(l.measured), slices.Clone(l.estimate)
		if l.reports != nil {
			l.reports = append(make([]loss.Point, 0, p.points), l.reports...)
		}
	}
	return c
}
