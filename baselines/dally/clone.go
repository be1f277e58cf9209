package dally

import (
	"slices"

	"tarry/sim"
)

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions. A
// source of timers of somebody else's is shared: see CloneWith.
func (p *Policy) Clone() sim.Policy {
	return p.CloneWith(CloneTimers(p.timers))
}

// CloneWith is Clone with another source of timers, such as a copy of the present one.
func (p *Policy) CloneWith(t TimerSource) *Policy {
	c := *p
	c.timers = t
	c.of, c.pos, c.expired = slices.Clone(p.of), slices.Clone(p.pos), slices.Clone(p.expired)
	c.grants, c.buf, c.victims = nil, nil, nil
	c.classes = make([]*class, len(p.classes))
	for i, from := range p.classes {
		k := *from
		k.list, k.tree, k.pos = slices.Clone(from.list), slices.Clone(from.tree), c.pos
		c.classes[i] = &k
	}
	if p.shadow != nil {
		c.shadow = &shadow{end: slices.Clone(p.shadow.end), run: slices.Clone(p.shadow.run), now: p.shadow.now,
			settling: slices.Clone(p.shadow.settling)}
	}
	return &c
}

// CloneTimers copies one of Dally's own sources of timers; another's is given back as it is.
func CloneTimers(t TimerSource) TimerSource {
	if own, ok := t.(*tuner); ok {
		return own.clone()
	}
	return t
}

func (t *tuner) clone() *tuner {
	c := *t
	c.demands = slices.Clone(t.demands)
	for i := range c.demands {
		d := &c.demands[i]
		d.machine, d.rack = d.machine.clone(), d.rack.clone()
	}
	return &c
}

func (w waits) clone() waits {
	w.at, w.wait = slices.Clone(w.at), slices.Clone(w.wait)
	return w
}

// Timers is the source that the policy asks.
func (p *Policy) Timers() TimerSource { return p.timers }
