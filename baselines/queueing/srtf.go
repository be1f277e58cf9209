package queueing

import (
	"tarry/internal/param"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// remaining rebuilds the running set at every event by what jobs have left.
type remaining struct {
	queue   plan.Queue
	place   *plan.Placer
	rebuild plan.Rebuild
}

// NewSRTF is shortest remaining (run) time first: at every event the running set is rebuilt in
// that order, passing over misfits, and who is not in it is preempted. Schrage, "A Proof of the
// Optimality of the Shortest Remaining Processing Time Discipline", Operations Research 16 (1968);
// that proof is for one server, with gangs it is a heuristic. It has no parameters.
func NewSRTF(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return newRemaining(rule, func(v *sim.View, j sim.JobID) float64 { return v.Left(j) / v.Width(j) }), s.Err()
}

// NewSRSF is shortest remaining service first: as NewSRTF, ranked by remaining run time x GPUs, the
// "2D" variant with known durations of Gu et al., "Tiresias", NSDI 2019. It has no parameters.
func NewSRSF(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return newRemaining(rule, func(v *sim.View, j sim.JobID) float64 { return v.Left(j) }), s.Err()
}

func newRemaining(rule cluster.Rule, key plan.Key) *remaining {
	return &remaining{place: plan.NewPlacer(rule), rebuild: plan.Rebuild{Key: key}}
}

// Knows implements sim.Policy.
func (r *remaining) Knows() sim.Knowledge { return sim.KnowWork }

// Decide implements sim.Policy.
func (r *remaining) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	r.queue.Follow(v, r.rebuild.Key, nil)
	return r.rebuild.Decide(v, &r.queue, r.place, true, out)
}
