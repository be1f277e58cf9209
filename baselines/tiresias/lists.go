package tiresias

import (
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// lists are the settings that need explicit lists of jobs: Tiresias as simulators run it. What
// readLists makes of no settings is Tiresias as published.
type lists struct {
	inside  string   // started, pending-last, submitted, joined
	turns   bool     // ties=waiting-first
	demote  string   // exact, late, whole
	held    bool     // service=held
	every   sim.Time // decide at multiples of it; 0 = at every event
	lost    sim.Time // interrupt
	penalty func(*sim.View, *plan.Demand) sim.Time
}

// ListParams describes them for the catalogue.
const ListParams = `inside        order inside a queue: started: first start, never started last | pending-last: order of joining, and
              after each decision waiting jobs behind running ones, as in the authors' simulator | submitted | joined: order
              of joining the queue
ties          jobs submitted together, with inside=submitted: arrival: by id | waiting-first: waiting jobs go first, so
              that such jobs take turns; they make no progress when a turn is shorter than what a preemption costs
demote        exact: when the service reaches the bound | late: at events, and (bound - t)/GPUs whole seconds after each,
              one queue at a time, as in the authors' simulator | whole: at events, and when the time of bound/GPUs is
              reached, rounded up to whole seconds, one queue at a time
service       run: GPUs x running time | held: GPUs x time of holding them, pauses included; not with demote=exact,
              unless every_s is set
every_s       decide at multiples of it only, s, 0.001 or more, 0 = at every event
interrupt     what a running job loses in each interval between two events except the interval that its end closes, s; each time it
              counts as preempted; for runs in which changes cost nothing
penalty       what a preemption adds to the time that the job has left, s; A/B = A for a job that one machine
              can hold, B for a larger one`

func readLists(s *param.Set) lists {
	l := lists{inside: s.Enum("inside", "started", "pending-last", "submitted", "joined"),
		turns:  s.Enum("ties", "arrival", "waiting-first") != "arrival",
		demote: s.Enum("demote", "exact", "late", "whole"), held: s.Enum("service", "run", "held") == "held",
		every: sim.Seconds(s.Float("every_s", 0, 0, 1e9)),
		lost:  sim.Seconds(s.Float("interrupt", 0, 0, 1e9)), penalty: plan.Penalty(s)}
	if l.every > 0 && l.every < sim.Second/1000 {
		s.Fault("every_s is %v, expected 0 (at every event) or 0.001 s or more", l.every)
	}
	if l.held && l.every == 0 && l.demote == "exact" {
		s.Fault("service=held belongs to every_s > 0 or demote=late or whole, and every_s is 0")
	}
	if l.turns && l.inside != "submitted" {
		s.Fault("ties=waiting-first belongs to inside=submitted, and inside is %s", l.inside)
	}
	if l.every > 0 && l.demote != "exact" {
		s.Fault("demote=%s belongs to every_s=0: with every_s all is looked at every %v", l.demote, l.every)
	}
	return l
}

// any reports whether one of them is set.
func (l *lists) any() bool {
	return l.inside != "started" || l.demote != "exact" || l.held || l.every > 0 || l.lost > 0 || l.penalty != nil
}

// newRoster gives the lists of a policy that has such settings.
func (p *Policy) newRoster() *plan.Roster {
	r := &plan.Roster{Key: p.key, Put: p.put, Penalty: p.cfg.lists.penalty}
	switch p.cfg.lists.inside {
	case "pending-last":
		r.Ties = plan.RunningFirst
		r.Key = func(_ *sim.View, j sim.JobID) float64 { return float64(p.queues.jobs[j].queue) }
	case "joined":
		r.Ties = plan.InPlace
		r.Key = func(_ *sim.View, j sim.JobID) float64 { return float64(p.queues.jobs[j].queue) }
	case "submitted":
		if p.cfg.lists.turns {
			r.Ties = plan.WaitingFirst
		}
		r.Key = func(v *sim.View, j sim.JobID) float64 {
			return float64(p.queues.jobs[j].queue) + float64(min(v.Job(j).Submit(), latest))/(1<<49) // exact
		}
	}
	if lost := p.cfg.lists.lost; lost > 0 {
		r.Interrupt = func(*sim.View, sim.JobID) sim.Time { return lost }
	}
	return r
}

// Interrupt sets what a running job loses between two events, in place of the setting of that name.
// It belongs to policies that have a setting which needs explicit lists.
func (p *Policy) Interrupt(lost func(*sim.View, sim.JobID) sim.Time) { p.roster.Interrupt = lost }

// service is what demotion and promotion look at.
func (p *Policy) service(v *sim.View, j sim.JobID) sim.Time {
	if p.cfg.lists.held {
		return p.roster.Held(v, j)
	}
	return v.Run(j).Service()
}

// listed is Decide with explicit lists.
func (p *Policy) listed(v *sim.View, out []sim.Decision) []sim.Decision {
	p.roster.Follow(v)
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Drained, sim.OutOfMemory, sim.Fail:
			if ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting {
				p.queues.waits(v, ev.Job)
			}
		}
	}
	if e := p.cfg.lists.every; e > 0 && v.Now()%e != 0 {
		return p.wakes.Set(v.Now(), p.tick(v), out)
	}
	out = p.demoteAll(v, out)
	for j := p.queues.promote(v); j != sim.NoJob; j = p.queues.promote(v) {
		p.queues.jobs[j].service0 = p.service(v, j)
		p.roster.Last(j)
	}
	planned := len(out)
	out = p.follow(v, p.roster.Decide(v, p.place, out), planned)
	switch {
	case p.cfg.lists.every > 0 && len(v.Running())+v.Draining() == 0 && len(out) == 0:
		return p.wakes.Set(v.Now(), sim.Never, out) // the jobs that wait now cannot be placed on an idle cluster
	case p.cfg.lists.every > 0:
		return p.wakes.Set(v.Now(), p.tick(v), out)
	case p.cfg.lists.demote != "exact":
		return p.wakes.Set(v.Now(), min(p.queues.next(), p.nextLook(v)), out)
	}
	return p.wakes.Set(v.Now(), p.queues.next(), out)
}

// tick is the next instant of the grid; Never when no job waits for it, unless the order in which
// jobs fall counts.
func (p *Policy) tick(v *sim.View) sim.Time {
	if n := v.Waiting() + v.Draining(); n == 0 && (p.cfg.lists.inside != "joined" || len(v.Running()) == 0) {
		return sim.Never
	}
	return (v.Now()/p.cfg.lists.every + 1) * p.cfg.lists.every
}

// demoteAll moves the jobs down whose service has reached the bound, in the order of the list.
func (p *Policy) demoteAll(v *sim.View, out []sim.Decision) []sim.Decision {
	p.fallen = p.fallen[:0]
	for _, j := range p.roster.Jobs() {
		l := &p.queues.jobs[j]
		a, from := p.service(v, j)-l.service0, l.queue
		for l.queue < len(p.queues.bounds) && a >= p.queues.bounds[l.queue] {
			l.queue++
			if p.cfg.lists.demote != "exact" {
				break
			}
		}
		if l.queue > from {
			p.fallen = append(p.fallen, j)
		}
	}
	for _, j := range p.fallen {
		if p.cfg.lists.inside == "pending-last" || p.cfg.lists.inside == "joined" {
			p.roster.Last(j)
		}
		if v.Run(j).State() == sim.Running {
			out = p.watch(j, out)
		}
	}
	return out
}

// watch asks for an event at the next demotion, where demotions are events of their own.
func (p *Policy) watch(j sim.JobID, out []sim.Decision) []sim.Decision {
	if p.roster != nil && (p.cfg.lists.demote != "exact" || p.cfg.lists.every > 0) {
		return out
	}
	return p.queues.watch(j, out)
}

// nextLook is when demote=late and whole look at the running jobs again, if nothing happens before.
// With t the running time since the last promotion, late looks (bound - t)/GPUs from now, in whole
// seconds, whole looks when t is bound/GPUs, rounded up.
func (p *Policy) nextLook(v *sim.View) sim.Time {
	next := sim.Never
	for _, j := range p.roster.Jobs() {
		l, gpus := &p.queues.jobs[j], sim.Time(p.roster.Holds(j))
		if gpus == 0 || l.queue == len(p.queues.bounds) {
			continue
		}
		t, bound := (p.service(v, j)-l.service0)/gpus, p.queues.bounds[l.queue]
		d := (bound - t) / gpus / sim.Second * sim.Second
		if p.cfg.lists.demote == "whole" {
			d = ((bound+gpus-1)/gpus+sim.Second-1)/sim.Second*sim.Second - t
		}
		if d <= 0 { // two bounds were passed at once
			d = sim.Second
		}
		next = min(next, v.Now()+d)
	}
	return next
}
