package places

import (
	"tarry/sim"
	"tarry/sim/plan"
)

// Paced gives a policy whose jobs wait by the rule an event at each instant at which one of them
// may take a coarser place; others as they are.
func (p Rule) Paced(policy sim.Policy) sim.Policy {
	if p.rule != "delay" || p.machine == sim.Never && p.rack == sim.Never {
		return policy
	}
	return &patient{Policy: policy, places: p, opens: plan.Alarm{Key: patientKey}}
}

// patient wakes a policy when waits are over.
type patient struct {
	sim.Policy
	places Rule
	// due has the jobs that wait by the next instant at which a wait of theirs is over; jobs counts
	// all that it can have.
	due   plan.Heap[sim.Time, sim.JobID]
	jobs  int
	opens plan.Alarm
}

// patientKey names its timer.
const patientKey = 1

// Decide notes who begins to wait and who waits no more, lets the policy decide and asks for the
// next instant.
func (p *patient) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.Policy.Decide(v, out)
	if n := v.NumJobs(); p.jobs < n {
		p.jobs, p.due = n, plan.NewHeap[sim.Time, sim.JobID](make([]int32, n))
	}
	for _, ev := range v.Events() {
		if ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting && v.Run(ev.Job).Since() == v.Now() {
			p.waits(ev.Job, v.Now(), v.Now())
		}
	}
	for i := range out {
		switch j := out[i].Job; out[i].Kind {
		case sim.Preempt:
			if v.Run(j).CheckpointTime() == 0 {
				p.waits(j, v.Now(), v.Now())
			}
		case sim.Start, sim.Reject:
			p.due.Drop(j)
		}
	}
	j, at, ok := p.due.First()
	for ; ok && at <= v.Now(); j, at, ok = p.due.First() {
		if v.Run(j).State() != sim.Waiting {
			p.due.Drop(j)
			continue
		}
		p.waits(j, v.Run(j).Since(), v.Now())
	}
	if !ok {
		at = sim.Never
	}
	return p.opens.Set(v.Now(), at, out)
}

// waits notes the first instant after now at which a wait of a job is over that began to wait at an
// instant: for one machine, for one rack of a job that no machine can hold, and for both.
func (p *patient) waits(j sim.JobID, since, now sim.Time) {
	machine, rack, next := p.places.machine, p.places.rack, sim.Never
	both := sim.Never
	if machine < sim.Never-rack {
		both = machine + rack
	}
	for _, wait := range [...]sim.Time{machine, rack, both} {
		if wait < sim.Never-since && since+wait > now {
			next = min(next, since+wait)
		}
	}
	if next == sim.Never {
		p.due.Drop(j)
		return
	}
	p.due.Set(j, next)
}

// Clone gives an independent copy, to resume from a snapshot.
func (p *patient) Clone() sim.Policy {
	c := *p
	c.due = p.due.Clone(nil)
	c.Policy = p.Policy.(interface{ Clone() sim.Policy }).Clone()
	return &c
}
