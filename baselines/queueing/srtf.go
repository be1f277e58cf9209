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
}

// NewSRTF is shortest remaining (run) time first: at every event the running set is rebuilt in
// that order, passing over misfits, and who is not in it is preempted. Schrage, "A Proof of the
// Optimality of the Shortest Remaining Processing Time Discipline", Operations Research 16 (1968);
// that proof is for one server, with gangs it is a heuristic. Parameters: RemainingParams.
func NewSRTF(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return newRemaining(s, rule, false)
}

// NewSRSF is shortest remaining service first: as NewSRTF, ranked by remaining run time x GPUs, the
// "2D" variant with known durations of Gu et al., "Tiresias", NSDI 2019. Parameters:
// RemainingParams.
func NewSRSF(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return newRemaining(s, rule, true)
}

// RemainingParams describes the settings of srtf and srsf for the catalogue.
const RemainingParams = `by         work: what is really left (clairvoyant) | left: the predicted mean of it, of --predict or --estimate-error |
           gittins: the Gittins rank of the predicted law
` + marginParam + places.Params + `
ties       arrival | kept: the order of the event before survives a tie | waiting-first: then in order of joining
           the waiting or the running jobs
repack     true: at every event all jobs are taken off and placed again in order, and may move; each that runs on counts as
           preempted; for runs in which changes cost nothing
interrupt  what a running job loses in each interval between two events except the interval that its end closes, s; each time it
           counts as preempted; for runs in which changes cost nothing
` + plan.PenaltyParam

func newRemaining(s *param.Set, rule cluster.Rule, service bool) (sim.Policy, error) {
	key := func(v *sim.View, j sim.JobID) float64 { return v.Run(j).Left() / v.Job(j).Width() }
	if service {
		key = func(v *sim.View, j sim.JobID) float64 { return v.Run(j).Left() }
	}
	by, margin := s.Enum("by", "work", "left", "gittins"), s.Float("margin", 0, 0, 100)
	where, ties := places.Read(s), s.Enum("ties", "arrival", "kept", "waiting-first")
	repack, lost, penalty := s.Bool("repack", false), sim.Seconds(s.Float("interrupt", 0, 0, 1e9)), plan.Penalty(s)
	if by != "work" {
		if ties != "arrival" || repack || lost > 0 || penalty != nil {
			s.FaultAt("by", "by is %s with ties, repack, interrupt or penalty, expected by=work: these belong to "+
				"other programs' srtf", by)
		}
		of := map[string]plan.Key{"left": plan.PredictedLeft, "gittins": plan.GittinsRank}[by]
		r := &remaining{know: know.Estimate | know.Done, place: plan.NewPlacer(rule),
			rebuild: plan.Rebuild{Key: ordered(of, service, margin), Put: where.Put()}}
		return where.Paced(r), s.Err()
	}
	if margin > 0 {
		s.FaultAt("margin", "margin is %v with by=work, expected 0: it is against what predictions get wrong", margin)
	}
	if ties == "arrival" && !repack && lost == 0 && penalty == nil {
		return where.Paced(&remaining{know: know.Work, place: plan.NewPlacer(rule),
			rebuild: plan.Rebuild{Key: key, Put: where.Put()}}), s.Err()
	}
	l := &Listed{service: service, place: plan.NewPlacer(rule)}
	l.roster = plan.Roster{Key: l.key, Penalty: penalty, Put: where.Put(), Repack: repack,
		Ties: map[string]plan.Ties{"arrival": plan.ByArrival, "kept": plan.InPlace,
			"waiting-first": plan.WaitingFirst}[ties]}
	if lost > 0 {
		l.Interrupt(func(*sim.View, sim.JobID) sim.Time { return lost })
	}
	return where.Paced(l), s.Err()
}

// Knows implements sim.Policy.
func (r *remaining) Knows() know.Set { return r.know }

// Decide implements sim.Policy.
func (r *remaining) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	r.queue.Follow(v, r.rebuild.Key, nil)
	return r.rebuild.Decide(v, &r.queue, r.place, true, out)
}

// Listed is srtf or srsf with explicit lists of jobs, which the settings ties, repack, interrupt
// and penalty need.
type Listed struct {
	service bool // rank by remaining service
	place   *plan.Placer
	roster  plan.Roster
}

// key is what a job has left, with the penalties that it has not worked off.
func (l *Listed) key(v *sim.View, j sim.JobID) float64 {
	debt := float64(l.roster.Debt(v, j))
	if l.service {
		return v.Run(j).Left() + float64(debt*v.Job(j).Width())
	}
	return v.Run(j).Left()/v.Job(j).Width() + debt
}

// Interrupt sets what a running job loses between two events, in place of the setting of that name.
func (l *Listed) Interrupt(lost func(*sim.View, sim.JobID) sim.Time) { l.roster.Interrupt = lost }

// Knows implements sim.Policy.
func (l *Listed) Knows() know.Set { return know.Work }

// Decide implements sim.Policy.
func (l *Listed) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	l.roster.Follow(v)
	return l.roster.Decide(v, l.place, out)
}
