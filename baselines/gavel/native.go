package gavel

import (
	"tarry/sim"
	"tarry/sim/plan"
)

// native decides in a fluid simulation: jobs run to the end of the round, one that ends before
// frees its GPUs at once, and those go to the jobs that would come next.
func (p *Policy) native(v *sim.View, out []sim.Decision) []sim.Decision {
	before := len(out)
	due, changed := p.follow(v)
	busy := len(v.Running()) + v.Draining()
	if p.cfg.packing && changed && !due && busy > 0 {
		out = p.widen(v, out)
	}
	switch {
	case due || busy == 0 && len(p.active) > 0:
		if busy == 0 {
			p.from = v.Now()
		}
		out = p.round(v, busy == 0, out)
	case changed && p.waiting() > 0 && v.Free().Total() > 0:
		out = p.fill(v, out)
	}
	return p.wake(v, len(v.Running())+v.Draining() > 0 || len(out) > before, out)
}

// follow takes in the events of the instant. It reports whether the round ends, and whether GPUs or
// jobs came.
func (p *Policy) follow(v *sim.View) (due, changed bool) {
	units := false
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Timer:
			due = true
		case sim.Arrive:
			p.Join(v, ev.Job)
			changed = true
		case sim.Finish:
			if n := p.rounds.Row(ev.Job); n >= 0 {
				p.stop(v, &p.rows[n])
				p.Leave(ev.Job)
			}
			changed = true
		case sim.Drained:
			changed = true
		case sim.OutOfMemory, sim.Fail, sim.Repair:
			if ev.Job == sim.NoJob {
				units = true
			} else {
				p.stop(v, p.of(ev.Job))
			}
			changed = true
		}
	}
	if units {
		p.Count(v)
		p.need = true
	}
	return due, changed
}

// stop books the time of a job that has lost its GPUs.
func (p *Policy) stop(v *sim.View, m *member) {
	p.charge(v, m)
	if m.mate != sim.NoJob {
		o := p.of(m.mate)
		p.charge(v, o)
		o.divorce()
		m.divorce()
	}
	if m.on != none {
		m.on = none
		p.held--
	}
}

// charge books a job's time up to now.
func (p *Policy) charge(v *sim.View, m *member) {
	s := (v.Now() - m.since).Seconds()
	m.since = v.Now()
	switch {
	case m.mate != sim.NoJob:
		if m.row != none && m.on >= 0 && m.job < m.mate { // once for the two
			p.rounds.Ran(m.row, int(m.on), s)
		}
	case m.on >= 0:
		p.rounds.Ran(p.rounds.Row(m.job), int(m.on), s)
	case m.on == wide:
		m.got += s
	}
}

// waiting is the number of active jobs without GPUs.
func (p *Policy) waiting() int { return len(p.active) - p.held }

// round ends a round and chooses the next one.
func (p *Policy) round(v *sim.View, fresh bool, out []sim.Decision) []sim.Decision {
	for _, j := range v.Running() {
		if n := p.rounds.Row(j); n >= 0 {
			p.charge(v, &p.rows[n])
		}
	}
	if p.need && (fresh || p.last == sim.Never || v.Now()-p.last >= p.cfg.recompute) {
		if p.last == sim.Never {
			p.last = v.Now()
		}
		p.rounds.Reset((v.Now() - p.last).Seconds())
		p.last, p.need = v.Now(), false
		p.rank()
		p.Allocate(v, v.Now().Seconds())
	}
	p.elect(v)
	return p.apply(v, out)
}

// elect chooses who has a place in the round, and where.
func (p *Policy) elect(v *sim.View) {
	p.turns = p.turns[:0]
	copy(p.free, p.usable)
	p.arrange()
	p.rounds.Open()
	for _, j := range p.active {
		m := p.of(j)
		m.to, m.with, m.turn, m.keeps = none, sim.NoJob, none, false
		if m.wide || m.missed%4 == 3 {
			p.ahead(v, m)
		}
	}
	for _, c := range p.columns {
		p.turns, p.free[c] = p.rounds.Pick(c, p.free[c], p.cfg.fill, p.turns)
	}
	for _, t := range p.turns {
		p.assign(t)
	}
}

// ahead gives a place before all others to a job that needs GPUs of several types, when it is
// behind its equal share of the cluster; and to one that had a place in the last rounds and found
// no machine with room for it: it then has its type for itself, so that there is room.
func (p *Policy) ahead(v *sim.View, m *member) {
	n, need := p.rounds.Row(m.job), int(m.demand.GPUs)
	if m.wide {
		all := 0
		for _, f := range p.free {
			all += f
		}
		if all < need || m.got > float64(p.part(need)*(v.Now()-m.joined).Seconds()) {
			return
		}
		for i := len(p.columns) - 1; i >= 0 && need > 0; i-- {
			f := &p.free[p.columns[i]]
			k := min(*f, need)
			*f -= k
			need -= k
		}
		m.to = wide
		p.rounds.Take(n)
		p.turns = append(p.turns, plan.Turn{Row: n, Type: wide, Job: m.job, Mate: sim.NoJob, GPUs: m.demand.GPUs})
		return
	}
	for _, c := range p.columns {
		if p.rounds.CanRun(n, c) && p.free[c] >= need {
			p.free[c] = 0
			m.to = int32(c)
			p.rounds.Take(n)
			p.turns = append(p.turns, plan.Turn{Row: n, Type: int32(c), Job: m.job, Mate: sim.NoJob,
				GPUs: m.demand.GPUs})
			return
		}
	}
}

// part is an equal share of the cluster, as a part of the time of a gang.
func (p *Policy) part(gpus int) float64 {
	all := 0
	for _, n := range p.usable {
		all += n
	}
	return min(1, float64(all)/float64(len(p.active)*gpus))
}

// wake asks for the end of the round, unless no job runs, or none waits and the jobs that run
// have no time due elsewhere.
func (p *Policy) wake(v *sim.View, alive bool, out []sim.Decision) []sim.Decision {
	at := sim.Never
	if alive && (p.need || p.waiting() > 0 || p.restless()) {
		at = p.from + ((v.Now()-p.from)/p.cfg.round+1)*p.cfg.round
	}
	return p.ends.Set(v.Now(), at, out)
}

// restless reports whether a job is due time on a type on which it does not run.
func (p *Policy) restless() bool {
	if len(p.couples) > 0 {
		return true
	}
	for _, j := range p.active {
		n := p.rounds.Row(j)
		for c := range p.types {
			if int32(c) != p.rows[n].on && p.able(n, c) && p.rounds.X(n, c) > 0 {
				return true
			}
		}
	}
	return false
}
