package gavel

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// apply gives the jobs of the round their GPUs: the GPUs that they hold on the same type, with a
// new lease, else the widest job first, consolidated.
func (p *Policy) apply(v *sim.View, out []sim.Decision) []sim.Decision {
	p.place.Begin(v)
	slices.SortStableFunc(p.turns, func(a, b plan.Turn) int { return cmp.Compare(b.GPUs, a.GPUs) })
	p.stay(v)
	p.wants = p.wants[:0]
	for i, t := range p.turns {
		m := p.of(t.Job)
		m.placed = false
		switch {
		case p.stays[i] != sim.NoJob:
			p.want(m, v.Run(p.stays[i]).Held())
		case v.Run(t.Job).State() == sim.Draining:
		default:
			if gpus, ok := p.on(v, m); ok {
				p.want(m, gpus)
			} else {
				m.missed++
			}
		}
	}
	out = p.target.Decide(v, p.wants, out)
	p.settle(v)
	return out
}

// stay finds out whose GPUs the jobs of each turn stay on, and plans as if all others had given
// theirs back.
func (p *Policy) stay(v *sim.View) {
	p.stays = p.stays[:0]
	for i := range p.turns {
		t := &p.turns[i]
		p.split(v, t)
		j := p.keeps(v, t)
		if p.stays = append(p.stays, j); j != sim.NoJob {
			m := p.of(j)
			if m.keeps = true; m.mate != sim.NoJob && m.mate == m.with {
				p.of(m.mate).keeps = true
			}
		}
	}
	for _, j := range v.Running() {
		if m := p.of(j); !m.keeps {
			p.place.Vacate(v, j, p.holds(v, m))
		}
	}
}

// want lists what a job wants, and its mate in the round.
func (p *Policy) want(m *member, gpus []cluster.GPU) {
	w := plan.Want{Job: m.job, GPUs: gpus, Lease: p.cfg.round}
	if p.cfg.packing {
		w.ShareMilli = m.demand.ShareMilli
	}
	if m.placed = true; m.with != sim.NoJob {
		o := p.of(m.with)
		o.placed, w.ShareMilli = true, half
		p.wants = append(p.wants, w)
		w.Job = o.job
	}
	p.wants = append(p.wants, w)
}

// on chooses GPUs of a job's type in this round.
func (p *Policy) on(v *sim.View, m *member) ([]cluster.GPU, bool) {
	if m.to == wide {
		return p.place.OfType(v, -1, &m.demand)
	}
	return p.place.OfType(v, p.types[m.to], p.demandFor(m))
}

// settle notes who holds GPUs after the decisions of a round, and who has a place and waits for the
// GPUs on which another writes its checkpoint.
func (p *Policy) settle(v *sim.View) {
	for _, j := range v.Running() {
		if m := p.of(j); (m.to == none || !m.placed) && m.on != none {
			m.on = none
			p.held--
			m.divorce()
		}
	}
	for _, j := range p.target.Late() { // one that runs keeps what it has
		p.of(j).placed = false
	}
	p.pending = p.pending[:0]
	for _, t := range p.turns {
		p.entered(v, t.Job)
		if t.Mate != sim.NoJob {
			p.entered(v, t.Mate)
		}
	}
	if p.cfg.packing {
		p.parted()
	}
}

// entered notes that a job of the round has its GPUs, or waits for them.
func (p *Policy) entered(v *sim.View, j sim.JobID) {
	if m := p.of(j); m.placed {
		p.hold(v, m)
	} else if m.on == none {
		p.pending = append(p.pending, j)
	}
}

// hold notes that a job has the GPUs that the round gives it.
func (p *Policy) hold(v *sim.View, m *member) {
	if m.on == none {
		p.held++
	}
	m.on, m.since, m.missed = m.to, v.Now(), 0
	m.mate, m.row = m.with, m.turn
}

// fill gives free GPUs to jobs that wait, until the end of the round: first to jobs that have a
// place in it, then in the order in which they would come; who has a place keeps the others from
// what it needs.
func (p *Policy) fill(v *sim.View, out []sim.Decision) []sim.Decision {
	p.place.Begin(v)
	out, open := p.late(v, out)
	if !open {
		return out
	}
	p.rounds.Open()
	for _, j := range p.active {
		if n := p.rounds.Row(j); p.rows[n].on != none || v.Run(j).State() != sim.Waiting {
			p.rounds.Take(n)
		}
	}
	for _, j := range p.pending {
		p.rounds.Take(p.rounds.Row(j))
	}
	for _, j := range p.active {
		m := p.of(j)
		if m.wide && m.on == none && v.Run(j).State() == sim.Waiting && len(p.pending) == 0 {
			m.to, m.with, m.turn = wide, sim.NoJob, none
			out = p.start(v, m, out)
		}
	}
	for _, c := range p.columns {
		p.turns, _ = p.rounds.Pick(c, v.Free().Type(p.types[c]).Total()-p.free[c], p.cfg.fill, p.turns[:0])
		for _, t := range p.turns {
			p.assign(t)
			out = p.start(v, p.of(t.Job), out)
		}
	}
	return out
}

// late starts jobs that have a place in the round and whose GPUs have come free, and counts what
// the others need of each column, in p.free. It reports false when all that is free is kept for a
// job of several types.
func (p *Policy) late(v *sim.View, out []sim.Decision) ([]sim.Decision, bool) {
	clear(p.free)
	still, open := p.pending[:0], true
	for _, j := range p.pending {
		n := p.rounds.Row(j)
		if n < 0 || p.rows[n].on != none {
			continue
		}
		m := &p.rows[n]
		if v.Run(j).State() == sim.Waiting {
			if out = p.start(v, m, out); m.on != none {
				continue
			}
		}
		if still = append(still, j); m.to == wide {
			open = false
		} else if m.with == sim.NoJob || j < m.with { // once for two
			p.free[m.to] += int(m.demand.GPUs)
		}
	}
	p.pending = still
	return out, open
}

// start gives a waiting job GPUs of the column it is meant for, if they are there, and its mate in
// the round; without that one if it does not wait.
func (p *Policy) start(v *sim.View, m *member, out []sim.Decision) []sim.Decision {
	var o *member
	if m.with != sim.NoJob {
		if n := p.rounds.Row(m.with); n >= 0 && p.rows[n].on == none && v.Run(m.with).State() == sim.Waiting &&
			p.rows[n].with == m.job {
			o = &p.rows[n]
		} else {
			m.with, m.turn = sim.NoJob, none
		}
	}
	gpus, ok := p.on(v, m)
	if !ok {
		return out
	}
	p.hold(v, m)
	d := sim.Decision{Kind: sim.Start, Job: m.job, GPUs: gpus}
	if end := p.ends.At(v.Now()); end != sim.Never {
		d.Lease = end - v.Now()
	}
	if o != nil {
		d.ShareMilli = half
		out = append(out, d)
		p.hold(v, o)
		d.Job = o.job
	}
	return append(out, d)
}
