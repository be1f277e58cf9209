package main

import (
	"tarry/baselines"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// aged shows a policy: it starts the waiting job that comes first by submit time plus a penalty for
// each GPU, and passes over jobs that do not fit. With penalty 0 that is the order of arrival, with
// an endless one the smallest job goes first. It reads nothing about how long jobs run.
type aged struct {
	penalty sim.Time // per GPU
	queue   plan.Queue
	place   *plan.Placer
}

// agedEntry is aged in the catalogue.
func agedEntry() baselines.Entry {
	return baselines.Entry{Name: "aged", Doc: "order of arrival; each GPU that a job asks for counts as later arrival",
		Paper:  "none",
		Params: "penalty_s  how much later, s per GPU", New: newAged}
}

func newAged(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	seconds := s.Float("penalty_s", 600, 0, 1e9)
	return &aged{penalty: sim.Time(seconds * float64(sim.Second)), place: plan.NewPlacer(rule)}, s.Err()
}

// Knows declares what Decide reads about jobs; the view gives no more.
func (a *aged) Knows() know.Set { return know.Nothing }

// Decide is called once per instant at which something happened.
func (a *aged) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	a.queue.Follow(v, a.rank, nil)
	return plan.Fill(v, &a.queue, a.place, nil, out)
}

// rank is the key of a job in the queue: the least goes first.
func (a *aged) rank(v *sim.View, j sim.JobID) float64 {
	return float64(v.Job(j).Submit() + sim.Time(v.Job(j).GPUs())*a.penalty)
}
