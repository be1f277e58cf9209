package contest

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions. A
// source of timers without a method Copied is shared: see CopyTimers.
func (p *Policy) Clone() sim.Policy {
	c := new(Policy)
	c.CopyFrom(p, CopyTimers(nil, p.timers))
	return c
}

// CopyFrom makes p equal to another policy but for the source of timers, which it is given. It is
// done between decisions, and uses the memory that p has.
func (p *Policy) CopyFrom(o *Policy, t plan.TimerSource) {
	old := *p
	*p = *o
	p.timers = t
	if o.ranker != nil {
		p.ranker = o.ranker.Copied(old.ranker)
	}
	p.cfg.Variant.copied(&old.cfg.Variant)
	p.of, p.pos, p.expired = append(old.of[:0], o.of...), append(old.pos[:0], o.pos...),
		append(old.expired[:0], o.expired...)
	p.behind.guess, p.behind.ends = append(old.behind.guess[:0], o.behind.guess...), old.behind.ends[:0]
	p.Grants, p.GPUs, p.victims = old.Grants[:0], old.GPUs[:0], old.victims[:0]
	p.evicts.pool, p.evicts.set = old.evicts.pool[:0], old.evicts.set[:0]
	p.hosted = old.hosted
	p.hosted.any = o.hosted.any
	p.hosted.forget()
	p.running = old.running
	p.running.forget()
	p.spare = append(old.spare, old.classes...)
	p.classes = old.classes[:0]
	for _, from := range o.classes {
		c := p.newClass(len(from.list))
		list, tree, soon := append(c.list[:0], from.list...), append(c.tree[:0], from.tree...),
			append(c.soon[:0], from.soon...)
		*c = *from
		c.list, c.tree, c.soon, c.pos = list, tree, soon, p.pos
		p.classes = append(p.classes, c)
	}
}

// copied replaces the rules by copies in the memory of old ones.
func (r *Variant) copied(old *Variant) {
	if r.Owners != nil {
		r.Owners = r.Owners.Copied(old.Owners)
	}
	if r.Sizes != nil {
		r.Sizes = r.Sizes.Copied(old.Sizes)
	}
	if r.Sharing != nil {
		r.Sharing = r.Sharing.Copied(old.Sharing)
	}
	if r.Clock != nil {
		r.Clock = r.Clock.Copied()
	}
}

// newClass is an empty class with room for so many entries, out of spare memory where there is
// some.
func (p *Policy) newClass(size int) *Class {
	n := len(p.spare)
	if n == 0 {
		c := &Class{}
		c.resize(size)
		return c
	}
	c := p.spare[n-1]
	p.spare = p.spare[:n-1]
	*c = Class{list: c.list, tree: c.tree, soon: c.soon[:0]}
	c.resize(max(size, len(c.list)))
	return c
}

// Timers is the source that the policy asks.
func (p *Policy) Timers() plan.TimerSource { return p.timers }

// OwnTimers is the source that the policy asks; nil where it does not ask one, asks one for each
// tenant, or decides several times in an instant.
func (p *Policy) OwnTimers(*cluster.Topology) plan.TimerSource {
	c := &p.cfg
	if c.Places != nil || c.Clock != nil || c.Owners != nil && c.Owners.Apart() {
		return nil
	}
	return p.timers
}

// Steered gives a copy that asks another source; see plan.Timed.
func (p *Policy) Steered(dst plan.Timed, by plan.TimerSource) plan.Timed {
	c, ok := dst.(*Policy)
	if !ok {
		c = new(Policy)
	}
	c.CopyFrom(p, by)
	return c
}

// Steerable reports whether an agent can choose victims: there is one contest per instant, no rule
// of the policy's own evicts, and the order is of jobs alone.
func (p *Policy) Steerable() bool {
	c := &p.cfg
	return c.Clock == nil && !c.Evict && c.Sizes == nil && c.Sharing == nil &&
		(c.Owners == nil || !c.Owners.Ordered())
}

// Copied gives a copy with timers of its own; see plan.Evicting.
func (p *Policy) Copied(dst plan.Evicting) plan.Evicting {
	c, ok := dst.(*Policy)
	if !ok {
		c = new(Policy)
	}
	c.CopyFrom(p, CopyTimers(c.timers, p.timers))
	return c
}
