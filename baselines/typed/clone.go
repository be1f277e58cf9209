package typed

import (
	"tarry/baselines/ranked"
	"tarry/sim"
	"tarry/sim/plan"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := &Policy{place: &plan.Placer{}}
	c.CopyFrom(p)
	return c
}

// CopyFrom makes p equal to another policy between decisions, in its own memory.
func (p *Policy) CopyFrom(o *Policy) {
	old := *p
	*p = *o
	p.by = o.by.Copied(old.by).(*ranked.Ranker)
	p.books, p.place, p.target = old.books, old.place, old.target
	p.books.CopyFrom(&o.books)
	p.place.CopyFrom(o.place)
	p.rates, p.best, p.to = over(old.rates, o.rates), over(old.best, o.best), over(old.to, o.to)
	p.active, p.scarce, p.free = over(old.active, o.active), over(old.scarce, o.scarce), over(old.free, o.free)
	p.firm, p.nth = over(old.firm, o.firm), over(old.nth, o.nth)
	p.size, p.up = over(old.size, o.size), over(old.up, o.up)
	p.pairs, p.turns, p.wants, p.buf, p.scores = old.pairs[:0], old.turns[:0], old.wants[:0], old.buf[:0], nil
}

// over copies a slice into the memory of another; nil stays nil.
func over[T any](dst, src []T) []T {
	if src == nil {
		return nil
	}
	return append(dst[:0], src...)
}
