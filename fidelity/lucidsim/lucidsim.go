// Package lucidsim is QSSF (baselines/queueing) as Lucid's simulator runs it: the policy lucid-qssf.
// Jobs that come together while no other waits go by their GPUs, fewest first, and all others by
// predicted run time x GPUs; the first that finds no place blocks the others. That simulator places
// by place=consolidate. Its SRTF and Tiresias are srtf-sim and tiresias-sim; its FIFO and SJF are
// fifo:place=consolidate and sjf:block=true,place=consolidate.
package lucidsim

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// Params describes the settings for the catalogue.
const Params = places.Params

// Policy is QSSF with that order. It belongs to one run.
type Policy struct {
	queue plan.Queue
	place *plan.Placer
	put   places.Put // nil = as the placer does
}

// New makes QSSF as that simulator runs it. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	where := places.Read(s)
	return where.Paced(&Policy{place: plan.NewPlacer(rule), put: where.Put()}), s.Err()
}

// Knows implements sim.Policy.
func (p *Policy) Knows() know.Set { return know.Estimate }

// Decide implements sim.Policy.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.queue.Len() > 0 || returns(v) {
		p.queue.Follow(v, service, nil)
		return p.serve(v, out)
	}
	p.queue.Follow(v, width, nil)
	out = p.serve(v, out)
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive && p.queue.Has(ev.Job) { // from now on it goes as all others
			p.queue.Remove(ev.Job)
			p.queue.Add(v, ev.Job, service(v, ev.Job), 0)
		}
	}
	return out
}

// returns reports whether a job waits again that came earlier.
func returns(v *sim.View) bool {
	for _, ev := range v.Events() {
		if ev.Kind != sim.Arrive && ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting {
			return true
		}
	}
	return false
}

// serve starts jobs in order until one has no place.
func (p *Policy) serve(v *sim.View, out []sim.Decision) []sim.Decision {
	p.place.Begin(v)
	p.queue.Open()
	for {
		j := p.queue.Best()
		if j == sim.NoJob {
			return out
		}
		if out = plan.Start(v, &p.queue, p.place, p.put, j, out); p.queue.Has(j) {
			return out
		}
	}
}

func width(v *sim.View, j sim.JobID) float64 { return v.Job(j).Width() }

func service(v *sim.View, j sim.JobID) float64 { return v.Job(j).Estimate() }

// Clone gives an independent copy between two decisions, to continue from a snapshot.
func (p *Policy) Clone() sim.Policy {
	return &Policy{queue: p.queue.Clone(), place: p.place.Clone(), put: p.put}
}
