package queueing

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// remaining rebuilds the running set at every event by what jobs have left.
type remaining struct {
	know    know.Set
	queue   plan.Queue
	place   *plan.Placer
	rebuild plan.Rebuild
	// byLaw: keys are of the laws of the run's predictor, where it has one, and may rise while jobs run.
	byLaw bool
}

// NewSRTF is shortest remaining (run) time first: at every event the running set is rebuilt in
// that order, passing over misfits, and who is not in it is preempted. Schrage, "A Proof of the
// Optimality of the Shortest Remaining Processing Time Discipline", Operations Research 16 (1968);
// that proof is for one server, with gangs it is a heuristic. Parameters: RemainingParams.
//
//  1. At each event all jobs, running and waiting, stand by remaining run time, the shortest
//     first.
//  2. Down that list each job is chosen whose GPUs fit in what is left of the cluster.
//  3. Running jobs that were not chosen are preempted; chosen jobs that wait start.
func NewSRTF(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return newRemaining(s, rule, false)
}

// NewSRSF is shortest remaining service first: as NewSRTF, ranked by remaining run time x GPUs, the
// "2D" variant with known durations of Gu et al., "Tiresias", NSDI 2019. Parameters:
// RemainingParams.
//
//  1. At each event all jobs, running and waiting, stand by remaining run time x GPUs, the least
//     first.
//  2. Down that list each job is chosen whose GPUs fit in what is left of the cluster.
//  3. Running jobs that were not chosen are preempted; chosen jobs that wait start.
func NewSRSF(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return newRemaining(s, rule, true)
}

// RemainingParams describes the settings of srtf and srsf for the catalogue.
const RemainingParams = `by         work: what is really left (clairvoyant) | left: the predicted mean of it, of --predict or --estimate-error |
           gittins: the Gittins rank of the predicted law
` + marginParam + places.Params

func newRemaining(s *param.Set, rule cluster.Rule, service bool) (sim.Policy, error) {
	key := func(v *sim.View, j sim.JobID) float64 { return v.Run(j).Left() / v.Job(j).Width() }
	if service {
		key = func(v *sim.View, j sim.JobID) float64 { return v.Run(j).Left() }
	}
	by, margin := s.Enum("by", "work", "left", "gittins"), s.Float("margin", 0, 0, 100)
	where := places.Read(s)
	r := &remaining{know: know.Work, place: plan.NewPlacer(rule),
		rebuild: plan.Rebuild{Key: key, Falls: true, Put: where.Refusing()}}
	if by != "work" {
		of := map[string]plan.Key{"left": plan.PredictedLeft, "gittins": plan.GittinsRank}[by]
		r.know, r.rebuild.Key, r.byLaw = know.Estimate|know.Done, ordered(of, service, margin), true
	} else if margin > 0 {
		s.FaultAt("margin", "margin is %v with by=work, expected 0: it is against what predictions get wrong", margin)
	}
	return where.Paced(r), s.Err()
}

// Knows implements sim.Policy.
func (r *remaining) Knows() know.Set { return r.know }

// Decide implements sim.Policy.
func (r *remaining) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if r.byLaw {
		r.awaitLaw(v)
	}
	r.queue.Follow(v, r.rebuild.Key, nil)
	return r.rebuild.Decide(v, &r.queue, r.place, true, out)
}

// awaitLaw finds out with the first job whether the run has a predictor.
func (r *remaining) awaitLaw(v *sim.View) {
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive && v.Run(ev.Job).State() == sim.Waiting {
			r.askLaw(v, ev.Job)
			return
		}
	}
}

// askLaw finds out with a job whether the run has a predictor.
func (r *remaining) askLaw(v *sim.View, j sim.JobID) {
	if _, ok := v.Job(j).Law(); ok {
		r.rebuild.Falls = false
	}
	r.byLaw = false
}
