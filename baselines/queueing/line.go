package queueing

import (
	"tarry/internal/param"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// line is a policy that never preempts: it starts waiting jobs in key order.
type line struct {
	know  sim.Knowledge
	key   plan.Key
	block bool // stop at the first that does not fit
	queue plan.Queue
	place *plan.Placer
}

// NewFIFO is first in, first out: jobs start in order of arrival, and the first that does not
// fit blocks all behind it. It has no parameters.
func NewFIFO(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return &line{key: arrival, block: true, place: plan.NewPlacer(rule)}, s.Err()
}

// NewFitFirst takes jobs in order of arrival and starts every one that fits, over the heads of
// those that do not: backfilling without a reservation, so wide jobs may starve. It has no parameters.
func NewFitFirst(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return &line{key: arrival, place: plan.NewPlacer(rule)}, s.Err()
}

// NewSJF is shortest job first without preemption, passing over misfits. It has no parameters.
func NewSJF(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return &line{know: sim.KnowWork, key: runTime, place: plan.NewPlacer(rule)}, s.Err()
}

// arrival ranks by the JobID alone, which is the order of (submit, id).
func arrival(*sim.View, sim.JobID) float64 { return 0 }

func runTime(v *sim.View, j sim.JobID) float64 { return v.Work(j) / v.Width(j) }

// Knows implements sim.Policy.
func (l *line) Knows() sim.Knowledge { return l.know }

// Decide implements sim.Policy.
func (l *line) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	l.queue.Follow(v, l.key, nil)
	if !l.block {
		return plan.Fill(v, &l.queue, l.place, out)
	}
	l.place.Begin(v)
	l.queue.Open()
	for {
		j := l.queue.Best()
		if j == sim.NoJob {
			return out
		}
		if out = plan.Start(v, &l.queue, l.place, j, out); l.queue.Has(j) {
			return out
		}
	}
}
