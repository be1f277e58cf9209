package dally

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions. A
// source of timers of somebody else's is shared: see CopyFrom.
func (p *Policy) Clone() sim.Policy {
	c := new(Policy)
	c.CopyFrom(p, CopyTimers(nil, p.timers))
	return c
}

// CopyFrom makes p equal to another policy but for the source of timers, which it is given. It is
// done between decisions, and uses the memory that p has.
func (p *Policy) CopyFrom(o *Policy, t TimerSource) {
	old := *p
	*p = *o
	p.timers = t
	if o.ranker != nil {
		p.ranker = o.ranker.Copied(old.ranker)
	}
	p.of, p.pos, p.expired = append(old.of[:0], o.of...), append(old.pos[:0], o.pos...),
		append(old.expired[:0], o.expired...)
	p.behind.guess, p.behind.ends = append(old.behind.guess[:0], o.behind.guess...), old.behind.ends[:0]
	p.grants, p.buf, p.victims = old.grants[:0], old.buf[:0], old.victims[:0]
	p.hosts = old.hosts[:0]
	p.hosted = old.hosted
	p.hosted.any = o.hosted.any
	p.hosted.forget()
	p.givers, p.growing, p.spread = old.givers[:0], old.growing[:0], old.spread[:0]
	p.running = old.running
	p.running.forget()
	p.tenants.copyFrom(&o.tenants, &old.tenants)
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
	if o.shadow != nil {
		p.shadow = &shadow{end: slices.Clone(o.shadow.end), run: slices.Clone(o.shadow.run),
			service: slices.Clone(o.shadow.service), turn: o.shadow.turn, now: o.shadow.now,
			settling: slices.Clone(o.shadow.settling), early: slices.Clone(o.shadow.early),
			ending: slices.Clone(o.shadow.ending), moments: slices.Clone(o.shadow.moments),
			held: make([][]cluster.GPU, len(o.shadow.held))}
		for j, gpus := range o.shadow.held {
			p.shadow.held[j] = slices.Clone(gpus)
		}
	}
}

// newClass is an empty class with room for so many entries, out of spare memory where there is
// some.
func (p *Policy) newClass(size int) *class {
	n := len(p.spare)
	if n == 0 {
		c := &class{}
		c.resize(size)
		return c
	}
	c := p.spare[n-1]
	p.spare = p.spare[:n-1]
	*c = class{list: c.list, tree: c.tree, soon: c.soon[:0]}
	c.resize(max(size, len(c.list)))
	return c
}

// Timers is the source that the policy asks.
func (p *Policy) Timers() TimerSource { return p.timers }

// OwnTimers is the source that the policy asks; nil where it does not ask one, asks one for each
// tenant, or decides several times in an instant.
func (p *Policy) OwnTimers(*cluster.Topology) TimerSource {
	if p.cfg.Tiresias || p.cfg.SettleS > 0 || p.cfg.TimersBy != byNone {
		return nil
	}
	return p.timers
}

// Steered gives a copy that asks another source; see plan.Timed.
func (p *Policy) Steered(dst plan.Timed, by TimerSource) plan.Timed {
	c, ok := dst.(*Policy)
	if !ok {
		c = new(Policy)
	}
	c.CopyFrom(p, by)
	return c
}

// Steerable reports whether somebody else can choose victims: there is one contest per instant, no
// rule of the policy's own evicts, and the order is of jobs alone.
func (p *Policy) Steerable() bool {
	return p.cfg.SettleS == 0 && !p.cfg.Evict && !p.cfg.Elastic.on() && p.cfg.Share.Loss == 0 && p.cfg.Fair == byNone
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

// CopyTimers copies one of Dally's own sources of timers into the memory of another, which may be
// nil; a source of somebody else's is given back as it is.
func CopyTimers(dst, src TimerSource) TimerSource {
	from, ok := src.(*tuner)
	if !ok {
		return src
	}
	to, ok := dst.(*tuner)
	if !ok {
		to = &tuner{}
	}
	demands := to.demands
	*to = *from
	to.demands = demands[:0]
	for i := range from.demands {
		f := &from.demands[i]
		d := demandWaits{demand: f.demand}
		if i < cap(demands) {
			d = demands[:cap(demands)][i]
			d.demand = f.demand
		}
		d.machine.copyFrom(&f.machine)
		d.rack.copyFrom(&f.rack)
		to.demands = append(to.demands, d)
	}
	return to
}

func (w *waits) copyFrom(o *waits) {
	at, wait := append(w.at[:0], o.at...), append(w.wait[:0], o.wait...)
	*w = *o
	w.at, w.wait = at, wait
}
