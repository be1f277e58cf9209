package places

import (
	"slices"

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
	due    []sim.Time // instants to come, ascending
	opens  plan.Alarm
}

// patientKey names its timer.
const patientKey = 1

// Decide notes who begins to wait, lets the policy decide and asks for the next instant.
func (p *patient) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.Policy.Decide(v, out)
	for _, ev := range v.Events() {
		if ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting && v.Run(ev.Job).Since() == v.Now() {
			p.begins(v.Now())
		}
	}
	for i := range out {
		if out[i].Kind == sim.Preempt && v.Run(out[i].Job).CheckpointTime() == 0 {
			p.begins(v.Now())
		}
	}
	n := 0
	for n < len(p.due) && p.due[n] <= v.Now() {
		n++
	}
	p.due = slices.Delete(p.due, 0, n)
	next := sim.Never
	if len(p.due) > 0 && v.Waiting()+v.Draining() > 0 || len(p.due) > 0 && p.preempted(out) {
		next = p.due[0]
	}
	return p.opens.Set(v.Now(), next, out)
}

func (p *patient) preempted(out []sim.Decision) bool {
	return slices.ContainsFunc(out, func(d sim.Decision) bool { return d.Kind == sim.Preempt })
}

// begins notes the instants at which the waits of a job end that begins to wait.
func (p *patient) begins(now sim.Time) {
	machine, rack := p.places.machine, p.places.rack
	p.add(now, machine)
	p.add(now, rack) // of a job that no machine can hold
	if machine < sim.Never-rack {
		p.add(now, machine+rack)
	}
}

func (p *patient) add(now, wait sim.Time) {
	if wait <= 0 || wait >= sim.Never-now {
		return
	}
	i, there := slices.BinarySearch(p.due, now+wait)
	if !there {
		p.due = slices.Insert(p.due, i, now+wait)
	}
}

// Clone gives an independent copy, to resume from a snapshot.
func (p *patient) Clone() sim.Policy {
	c := *p
	c.due = slices.Clone(p.due)
	c.Policy = p.Policy.(interface{ Clone() sim.Policy }).Clone()
	return &c
}
