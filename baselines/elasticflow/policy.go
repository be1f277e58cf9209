package elasticflow

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/buddy"
)

// Policy is one of ElasticFlow's schedulers. Build it with New; it belongs to one run.
type Policy struct {
	cfg     config
	curves  plan.Curves
	placer  *buddy.Placer
	members []*member // with a deadline, by it, equal ones by arrival
	best    best      // without one
	unused  []*member
	arrived []sim.JobID
	clock
	last   sim.Time // of the last decision, Never = none yet
	change sim.Time // when some plan changes next
	due    bool     // something happened since the last decision
	wait   sim.Time // how long a job that is behind its plan is waited for; 0 = none is

	free, spare, around, capacity steps
	growing                       []*member
	counts                        []plan.Count
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{cfg: settings(s), placer: buddy.New(rule), last: sim.Never, change: sim.Never}
	if err := s.Err(); err != nil {
		return nil, err
	}
	p.slot, p.placer.Near = p.cfg.slot, !p.cfg.buddy
	return p, nil
}

// Knows declares speeds and the work that is left: deadlines are kept by these.
func (p *Policy) Knows() know.Set { return know.Speed | know.Work }

// Decide plans anew when something happened and the last decision is a slot old, and when a plan
// changes.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, e := range v.Events() {
		switch e.Kind {
		case sim.Arrive:
			p.arrived = append(p.arrived, e.Job)
		case sim.Finish:
			p.leave(e.Job)
		}
		p.due = p.due || e.Kind != sim.Timer
	}
	now := v.Now()
	if !p.due && now < p.change {
		return out
	}
	if p.last != sim.Never && now < p.last+p.slot && now < p.change {
		return append(out, sim.Decision{Kind: sim.WakeAt, At: min(p.last+p.slot, p.change)})
	}
	p.last, p.now, p.due = now, now, false
	p.patience()
	out = p.plan(v, out)
	before := len(out)
	out = p.place(v, out)
	switch p.change = p.changes(); {
	// no job can be placed, and time alone does not change that
	case len(p.counts) > 0 && len(out) == before && len(v.Running()) == 0:
		p.change = sim.Never
	case p.change != sim.Never:
		p.change = max(p.change, now+p.wait)
	}
	return append(out, sim.Decision{Kind: sim.WakeAt, At: p.change})
}

// patience is how long a job is waited for that should have ended and has not, because of costs:
// longer each time.
func (p *Policy) patience() {
	behind := false
	for m := range p.each {
		behind = behind || m.gpus > 0 && len(m.plan) > 0 && m.plan.end(0) <= p.now
	}
	switch {
	case !behind:
		p.wait = 0
	case p.wait < sim.Second:
		p.wait = max(sim.Second/1000, 2*p.wait)
	}
}

// plan admits and rejects, plans all jobs and gives the rest out.
func (p *Policy) plan(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, m := range p.members {
		m.left = v.Run(m.id).Left()
	}
	p.best.look(v)
	p.capacity = append(p.capacity[:0], step{p.now, int32(v.Usable())})
	capacity := p.capacity
	if p.cfg.admit {
		p.renew(capacity)
	}
	for _, j := range p.arrived {
		if v.Run(j).State() != sim.Waiting {
			continue
		}
		m := p.member(v, j)
		if !p.cfg.admit || m.deadline == sim.Never || p.admit(capacity, m) || m.tighten() && p.admit(capacity, m) {
			p.enter(m)
			continue
		}
		p.unused = append(p.unused, m)
		out = append(out, sim.Decision{Kind: sim.Reject, Job: j})
	}
	p.arrived = p.arrived[:0]
	if p.cfg.earliest && !p.cfg.admit {
		p.soonestAll(v, capacity[0].gpus)
	} else {
		if !p.cfg.admit {
			p.renew(capacity)
		}
		p.rest(v, capacity)
	}
	return out
}

// renew makes new plans for all jobs that can still end in time. Where these do not fit together
// the plans in force stay, which do.
func (p *Policy) renew(capacity steps) {
	if p.fresh(capacity, nil) {
		return
	}
	p.free = append(p.free[:0], capacity...)
	for _, m := range p.members {
		if m.late = !p.clock.keeps(m, m.plan); m.late {
			continue
		}
		p.spare, p.free = p.free, plus(p.spare, p.free, m.plan, -1, p.now)
		if slices.ContainsFunc(p.free, func(x step) bool { return x.gpus < 0 }) { // GPUs have failed
			p.spare, p.free = p.free, plus(p.spare, p.free, m.plan, 1, p.now)
			m.late = true
		}
	}
	for _, m := range p.members {
		if m.late {
			ok := false
			if m.plan, ok = p.shape(m, m.plan[:0]); ok {
				p.spare, p.free = p.free, plus(p.spare, p.free, m.plan, -1, p.now)
			}
			m.late = !ok
		}
	}
}

// fresh plans jobs by deadline, with one that asks to be admitted unless it is nil, and puts the
// plans in force if each ends in time.
func (p *Policy) fresh(capacity steps, asks *member) bool {
	p.free = append(p.free[:0], capacity...)
	look := func(m *member) bool {
		if m.late {
			return true
		}
		ok := false
		if m.fresh, ok = p.shape(m, m.fresh[:0]); ok {
			p.spare, p.free = p.free, plus(p.spare, p.free, m.fresh, -1, p.now)
		}
		return ok
	}
	for i := 0; i <= len(p.members); i++ {
		if asks != nil && (i == len(p.members) || later(p.members[i], asks)) {
			if !look(asks) {
				return false
			}
			asks = nil
		}
		if i < len(p.members) && !look(p.members[i]) {
			return false
		}
	}
	for _, m := range p.members {
		if !m.late {
			m.plan, m.fresh = m.fresh, m.plan
		}
	}
	return true
}

// later reports whether a job comes after another that has just arrived.
func later(m, asks *member) bool { return m.deadline > asks.deadline }

// admit reports whether a job can end in time beside all that were admitted: with new plans for
// all, else within what their plans in force leave.
func (p *Policy) admit(capacity steps, m *member) bool {
	if p.fresh(capacity, m) {
		m.plan, m.fresh = m.fresh, m.plan
		return true
	}
	p.free = append(p.free[:0], capacity...)
	for _, k := range p.members {
		if !k.late {
			p.spare, p.free = p.free, plus(p.spare, p.free, k.plan, -1, p.now)
		}
	}
	ok := false
	m.plan, ok = p.shape(m, m.plan[:0])
	return ok
}

// shape plans a job on what is free: with its minimum satisfactory share, or as soon as that can
// be.
func (p *Policy) shape(m *member, dst steps) (plan steps, ok bool) {
	if p.cfg.earliest {
		return p.clock.soonest(m, p.free, dst)
	}
	plan, _, ok = p.clock.least(m, p.free, p.now, m.left, dst)
	return plan, ok
}

// rest leaves in free what the plans leave, late jobs after the others with all that helps them.
func (p *Policy) rest(v *sim.View, capacity steps) {
	p.free = append(p.free[:0], capacity...)
	for _, m := range p.members {
		if !m.late {
			p.spare, p.free = p.free, plus(p.spare, p.free, m.plan, -1, p.now)
		}
	}
	for _, m := range p.members {
		if m.late {
			m.plan, _ = p.clock.soonest(m, p.free, m.plan[:0])
			p.spare, p.free = p.free, plus(p.spare, p.free, m.plan, -1, p.now)
		}
		m.gpus = m.plan.at(p.now)
	}
	if p.cfg.surplus {
		p.surplus(v)
	} else {
		p.bestEffort(v, p.free.at(p.now))
	}
}

// soonestAll is elastic earliest deadline first without admission: nothing but the present counts.
func (p *Policy) soonestAll(v *sim.View, free int32) {
	for _, m := range p.members {
		p.present(m, free)
		m.gpus = m.plan.at(p.now)
		free -= m.gpus
	}
	p.bestEffort(v, free)
}

// present gives a job what helps it of what is free now, until it ends.
func (p *Policy) present(m *member, free int32) {
	n := m.within(m.most(), free)
	m.plan = m.plan[:0].push(p.now, n)
	if n > 0 {
		m.plan = m.plan.push(p.release(p.now+lasts(m.left, m.rate(n)), sim.Never), 0)
	}
}

// changes is when some plan changes next.
func (p *Policy) changes() sim.Time {
	next := sim.Never
	for m := range p.each {
		next = min(next, m.plan.next(p.now))
	}
	return next
}

// member makes the books of a job.
func (p *Policy) member(v *sim.View, j sim.JobID) *member {
	n := len(p.unused)
	if n == 0 {
		slab := make([]member, 64)
		for i := range slab {
			p.unused = append(p.unused, &slab[i])
		}
		n = len(slab)
	}
	m := p.unused[n-1]
	p.unused = p.unused[:n-1]
	deadline := v.Job(j).Deadline()
	if deadline == 0 {
		deadline = sim.Never
	}
	m.reset(j, deadline, v.Run(j).Left())
	curve := p.curves.Of(v, j)
	lo, hi := v.Job(j).Range()
	peak := 0.0
	for n := max(lo, 1); n <= hi && n < len(curve) && len(m.levels) < maxLevels; n *= 2 {
		if curve[n] > peak {
			peak = curve[n]
			m.levels, m.rates = append(m.levels, int32(n)), append(m.rates, peak)
		}
	}
	if len(m.levels) == 0 { // no speed is known: it holds what it asks for
		m.levels, m.rates = append(m.levels, int32(v.Job(j).GPUs())), append(m.rates, float64(v.Job(j).GPUs()))
	}
	return m
}

// enter puts a job in its place.
func (p *Policy) enter(m *member) {
	if m.deadline == sim.Never {
		p.best.wait(m)
		return
	}
	i, _ := slices.BinarySearchFunc(p.members, m, func(a, b *member) int {
		if c := cmp.Compare(a.deadline, b.deadline); c != 0 {
			return c
		}
		return cmp.Compare(a.id, b.id)
	})
	p.members = slices.Insert(p.members, i, m)
}

// leave forgets a job that has ended.
func (p *Policy) leave(j sim.JobID) {
	if m := p.best.drop(j); m != nil {
		p.unused = append(p.unused, m)
		return
	}
	for i, m := range p.members {
		if m.id == j {
			p.unused = append(p.unused, m)
			p.members = slices.Delete(p.members, i, i+1)
			return
		}
	}
}
