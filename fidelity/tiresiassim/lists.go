package tiresiassim

import (
	"tarry/baselines/tiresias"
	"tarry/sim"
	"tarry/sim/plan"
)

// lists runs Tiresias over explicit lists of jobs. It is a tiresias.Program.
type lists struct {
	cfg    config
	of     *tiresias.Policy
	roster plan.Roster
	fallen []sim.JobID // of the present decision
}

// Bind gives it its policy.
func (p *lists) Bind(of *tiresias.Policy) {
	p.of = of
	p.bind(&p.roster)
}

// Clone gives an independent copy.
func (p *lists) Clone() tiresias.Program { return &lists{cfg: p.cfg, roster: p.roster.Clone()} }

// latest is the largest instant that ranks exactly inside a queue: 8.9 years.
const latest = 1<<48 - 1

// bind sets what a roster asks of the policy.
func (p *lists) bind(r *plan.Roster) {
	r.Key, r.Put = p.of.Key, p.of.Put
	switch p.cfg.inside {
	case "pending-last":
		r.Ties = plan.RunningFirst
		r.Key = func(_ *sim.View, j sim.JobID) float64 { return p.queue(j) }
	case "joined":
		r.Ties = plan.InPlace
		r.Key = func(_ *sim.View, j sim.JobID) float64 { return p.queue(j) }
	case "submitted":
		if p.cfg.turns {
			r.Ties = plan.WaitingFirst
		}
		r.Key = func(v *sim.View, j sim.JobID) float64 {
			return p.queue(j) + float64(min(v.Job(j).Submit(), latest))/(1<<49) // exact
		}
	}
}

func (p *lists) queue(j sim.JobID) float64 { return float64(p.of.Queues().Of(j).Queue) }

// service is what demotion and promotion look at.
func (p *lists) service(v *sim.View, j sim.JobID) sim.Time {
	if p.cfg.held {
		return p.roster.Held(v, j)
	}
	return v.Run(j).Service()
}

// Decide moves jobs between the queues and plans by the lists.
func (p *lists) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.roster.Follow(v)
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Drained, sim.OutOfMemory, sim.Fail:
			if ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting {
				p.of.Queues().Waits(v, ev.Job)
			}
		}
	}
	if e := p.cfg.every; e > 0 && v.Now()%e != 0 {
		return p.of.Wake(v, p.tick(v), out)
	}
	out = p.demoteAll(v, out)
	for j := p.of.Queues().Promote(v); j != sim.NoJob; j = p.of.Queues().Promote(v) {
		p.of.Queues().Of(j).Service0 = p.service(v, j)
		p.roster.Last(j)
	}
	planned := len(out)
	out = p.of.Follow(v, p.roster.Decide(v, p.of.Placer(), out), planned)
	switch {
	case p.cfg.every > 0 && len(v.Running())+v.Draining() == 0 && len(out) == 0:
		return p.of.Wake(v, sim.Never, out) // the jobs that wait now cannot be placed on an idle cluster
	case p.cfg.every > 0:
		return p.of.Wake(v, p.tick(v), out)
	case p.cfg.demote != "exact":
		return p.of.Wake(v, min(p.of.Queues().Next(), p.nextLook(v)), out)
	}
	return p.of.Wake(v, p.of.Queues().Next(), out)
}

// tick is the next instant of the grid; Never when no job waits for it, unless the order in which
// jobs fall counts.
func (p *lists) tick(v *sim.View) sim.Time {
	if n := v.Waiting() + v.Draining(); n == 0 && (p.cfg.inside != "joined" || len(v.Running()) == 0) {
		return sim.Never
	}
	return (v.Now()/p.cfg.every + 1) * p.cfg.every
}

// demoteAll moves the jobs down whose service has reached the bound, in the order of the list.
func (p *lists) demoteAll(v *sim.View, out []sim.Decision) []sim.Decision {
	p.fallen = p.fallen[:0]
	for _, j := range p.roster.Jobs() {
		l := p.of.Queues().Of(j)
		a, from := p.service(v, j)-l.Service0, l.Queue
		for l.Queue < len(p.of.Queues().Bounds) && a >= p.of.Queues().Bounds[l.Queue] {
			l.Queue++
			if p.cfg.demote != "exact" {
				break
			}
		}
		if l.Queue > from {
			p.fallen = append(p.fallen, j)
		}
	}
	for _, j := range p.fallen {
		if p.cfg.inside == "pending-last" || p.cfg.inside == "joined" {
			p.roster.Last(j)
		}
		if v.Run(j).State() == sim.Running {
			out = p.of.Watch(j, out)
		}
	}
	return out
}

// Watches reports whether demotions are events of their own.
func (p *lists) Watches() bool { return p.cfg.demote == "exact" && p.cfg.every == 0 }

// nextLook is when demote=late and whole look at the running jobs again, if nothing happens before.
// With t the running time since the last promotion, late looks (bound - t)/GPUs from now, in whole
// seconds, whole looks when t is bound/GPUs, rounded up.
func (p *lists) nextLook(v *sim.View) sim.Time {
	next := sim.Never
	for _, j := range p.roster.Jobs() {
		l, gpus := p.of.Queues().Of(j), sim.Time(p.roster.Holds(j))
		if gpus == 0 || l.Queue == len(p.of.Queues().Bounds) {
			continue
		}
		t, bound := (p.service(v, j)-l.Service0)/gpus, p.of.Queues().Bounds[l.Queue]
		d := (bound - t) / gpus / sim.Second * sim.Second
		if p.cfg.demote == "whole" {
			d = ((bound+gpus-1)/gpus+sim.Second-1)/sim.Second*sim.Second - t
		}
		if d <= 0 { // two bounds were passed at once
			d = sim.Second
		}
		next = min(next, v.Now()+d)
	}
	return next
}
