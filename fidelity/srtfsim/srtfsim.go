// Package srtfsim is SRTF and SRSF (baselines/queueing) as simulators run them that keep explicit
// lists of jobs: the policies srtf-sim and srsf-sim. The lists break ties, preemptions and
// interruptions add to what a job has left, and all jobs may be placed anew at each event. Muri's
// simulator is ties=kept,repack=true,place=lowest, with an interruption by model, and Lucid's
// ties=waiting-first,penalty=40/60,place=consolidate, with jobs one second longer; `make reference`
// compares both.
package srtfsim

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// Params describes the settings for the catalogue.
const Params = `ties       kept: the order of the event before survives a tie | waiting-first: then in order of joining
           the waiting or the running jobs | arrival
repack     true: at every event all jobs are taken off and placed again in order, and may move; each that runs on counts as
           preempted; for runs in which changes cost nothing
interrupt  what a running job loses in each interval between two events except the interval that its end closes, s; each time it
           counts as preempted; for runs in which changes cost nothing
` + plan.PenaltyParam + "\n" + places.Params

// Policy is srtf or srsf with explicit lists of jobs. It belongs to one run.
type Policy struct {
	service bool // rank by remaining service
	place   *plan.Placer
	roster  plan.Roster
}

// NewSRTF ranks by the remaining run time. Parameters: Params.
func NewSRTF(s *param.Set, rule cluster.Rule) (sim.Policy, error) { return build(s, rule, false) }

// NewSRSF ranks by the remaining run time x GPUs. Parameters: Params.
func NewSRSF(s *param.Set, rule cluster.Rule) (sim.Policy, error) { return build(s, rule, true) }

func build(s *param.Set, rule cluster.Rule, service bool) (sim.Policy, error) {
	where := places.Read(s)
	p := &Policy{service: service, place: plan.NewPlacer(rule)}
	p.roster = plan.Roster{Key: p.key, Put: where.Put(),
		Ties: map[string]plan.Ties{"kept": plan.InPlace, "waiting-first": plan.WaitingFirst,
			"arrival": plan.ByArrival}[s.Enum("ties", "kept", "waiting-first", "arrival")],
		Repack: s.Bool("repack", false), Penalty: plan.Penalty(s)}
	if lost := sim.Seconds(s.Float("interrupt", 0, 0, 1e9)); lost > 0 {
		p.Interrupt(func(*sim.View, sim.JobID) sim.Time { return lost })
	}
	return where.Paced(p), s.Err()
}

// key is what a job has left, with the penalties that it has not worked off.
func (p *Policy) key(v *sim.View, j sim.JobID) float64 {
	debt := float64(p.roster.Debt(v, j))
	if p.service {
		return v.Run(j).Left() + float64(debt*v.Job(j).Width())
	}
	return v.Run(j).Left()/v.Job(j).Width() + debt
}

// Interrupt sets what a running job loses between two events, in place of the setting of that name.
func (p *Policy) Interrupt(lost func(*sim.View, sim.JobID) sim.Time) { p.roster.Interrupt = lost }

// Knows implements sim.Policy.
func (p *Policy) Knows() know.Set { return know.Work }

// Decide implements sim.Policy.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.roster.Follow(v)
	return p.roster.Decide(v, p.place, out)
}

// Clone gives an independent copy between two decisions, to resume from a snapshot.
func (p *Policy) Clone() sim.Policy {
	c := &Policy{service: p.service, place: p.place.Clone(), roster: p.roster.Clone()}
	c.roster.Key = c.key
	return c
}
