package delay

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one delay scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cfg   config
	queue plan.Queue
	place *plan.Placer
	kinds []kind
	index map[plan.Demand]int32
	fair  *fair // nil in the order of submission
	// timers are a caller's; nil = cfg's. waits then has who waits.
	timers plan.TimerSource
	waits  plan.Waiters

	v        *sim.View // during Decide
	freed    bool      // GPUs came free at this instant
	next     sim.Time  // when a job may take what is free
	accepts  plan.Alarm
	boundOf  func(*plan.Demand) float64
	eachLeft func(*plan.Demand, float64)
}

type config struct {
	count, offer, fair bool
	// machine and rack are W1 and W2 in microseconds; in the count form skips and 0. +Inf never
	// gives in.
	machine, rack float64
}

// maxWait is beyond every run, in microseconds.
const maxWait = 1 << 61

// defaultWait is six hours, as the floor of Dally's rack timer: a choice, not a constant of the
// paper.
const defaultWait = 6 * 3600

// New reads the parameters. The error joins every fault.
//
//  1. A job first takes only the finest level that can hold it: one machine, one rack, any GPUs.
//  2. After wait_machine it also takes one rack, after a further wait_rack any GPUs (count form:
//     any GPUs after skips declined opportunities).
//  3. At each event waiting jobs are asked in order of arrival (order=fair: the user that holds
//     fewest GPUs first); each takes a place at a level that its wait allows, or declines.
//  4. A job that declines does not hold up those behind it; no job is preempted.
//  5. The instant at which a wait ends is an event.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), index: map[plan.Demand]int32{}}
	c := &p.cfg
	c.count = s.Enum("form", "time", "count") == "count"
	c.fair = s.Enum("order", "fifo", "fair") == "fair"
	c.offer = s.Enum("clock", "wait", "offer") == "offer"
	c.machine = micro(s.Float("wait_machine", defaultWait, 0, math.Inf(1)))
	c.rack = micro(s.Float("wait_rack", defaultWait, 0, math.Inf(1)))
	skips := s.Float("skips", 64, 0, math.Inf(1))
	if c.count {
		for _, key := range []string{"wait_machine", "wait_rack", "clock"} {
			if s.Has(key) {
				s.Fault("%s belongs to form=time, and form is count", key)
			}
		}
		c.machine, c.rack = math.Ceil(skips), 0
	} else if s.Has("skips") {
		s.Fault("skips belongs to form=count, and form is time")
	}
	if c.fair {
		p.fair = newFair()
	}
	p.boundOf, p.eachLeft = p.bound, p.declined
	return p, s.Err()
}

func micro(s float64) float64 {
	if math.IsInf(s, 1) {
		return s
	}
	return float64(sim.Seconds(s))
}

// Knows declares nothing.
func (p *Policy) Knows() know.Set { return know.Nothing }

// Decide starts every job that accepts what is free, in order.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	return p.Finish(v, p.Begin(v, out))
}

// Begin takes in what happened at an instant.
func (p *Policy) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	p.v, p.freed = v, false
	p.tick(v.Now())
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Finish, sim.Drained, sim.OutOfMemory, sim.Fail, sim.Repair:
			p.freed = p.freed || ev.Job != sim.NoJob || ev.Kind == sim.Repair
			if ev.Job != sim.NoJob && p.fair != nil {
				p.fair.stop(&p.queue, v, ev.Job)
			}
		}
	}
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive, sim.Drained, sim.OutOfMemory, sim.Fail:
			if ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting {
				p.join(v, ev.Job)
			}
		}
	}
	return out
}

// Contest does nothing: Finish launches.
func (p *Policy) Contest(*sim.View) {}

// Finish starts every job that accepts what is free, in order.
func (p *Policy) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	return p.wake(v, p.launch(v, out))
}

// join queues a job. In fair order only the first of a user's jobs with one demand is in the queue.
func (p *Policy) join(v *sim.View, j sim.JobID) {
	k := p.kindOf(v, p.queue.Note(v, j))
	mark := p.mark(v, j, k)
	p.enters(v, j)
	if p.fair != nil {
		p.fair.join(&p.queue, v, j, mark)
		return
	}
	p.queue.Add(v, j, 0, mark)
}

func (p *Policy) launch(v *sim.View, out []sim.Decision) []sim.Decision {
	p.place.Begin(v)
	p.queue.Open()
	for {
		j := p.queue.Within(p.boundOf)
		if j == sim.NoJob {
			return out
		}
		d := p.queue.Demand(j)
		k := p.kindOf(v, d)
		limit := p.allows(k, p.queue.Weight(j))
		gpus, ok := p.place.PlaceWithin(v, d, limit)
		if !ok { // a host has no room
			p.queue.Close(j)
			continue
		}
		p.leaves(v, j, k, gpus)
		p.queue.Remove(j)
		if p.fair != nil {
			p.fair.start(&p.queue, v, j)
		}
		out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
	}
}

// wake asks for a timer at the instant at which a job that declines now may accept.
func (p *Policy) wake(v *sim.View, out []sim.Decision) []sim.Decision {
	for i := range p.kinds {
		p.kinds[i].open = false
	}
	p.next = sim.Never
	p.queue.Each(p.eachLeft)
	return p.accepts.Set(v.Now(), p.next, out)
}
