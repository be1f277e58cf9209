package queueing

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// GenieParams describes the settings of genie for the catalogue.
const GenieParams = `order      allowance: the time until a job must start | deadline | shortest: its predicted duration | arrival
by         predicted: the mean duration by --predict or --estimate-error | work: the true one (clairvoyant)
reject     true: a waiting job is turned away once its allowance is negative | false: every job is served
preempt    true: at every event the running set is rebuilt in the order | false: a job that runs is never stopped
` + places.Params

// NewGenie is GENIE's online scheduler, shortest waiting allowance first. Chen et al., "Deep learning
// research and development platform: characterizing and scheduling with QoS guarantees on GPU
// clusters", IEEE TPDS 31(1), 2020. Parameters: GenieParams.
//
// We differ: only the abstract was read, so that the allowance is inferred, and rejection is ours;
// predictions are the run's, on the GPUs asked for at full speed, in place of a model per placement.
//
//  1. The waiting allowance of a job is its deadline less the present less its predicted duration.
//  2. At each event waiting jobs start in the order of allowances, the least first, on the finest
//     place that is free; misfits are passed over, and jobs without a deadline come last, by arrival.
//  3. reject=true: a waiting job whose allowance is negative is turned away.
func NewGenie(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &deadlineFirst{know: know.Estimate | know.Done, place: plan.NewPlacer(rule), latestStart: predictedStart}
	left := func(v *sim.View, j sim.JobID) float64 { return 1e6 * plan.PredictedLeft(v, j) }
	order := s.Enum("order", "allowance", "deadline", "shortest", "arrival")
	if s.Enum("by", "predicted", "work") == "work" {
		p.know, p.latestStart = know.Work, latestStart
		left = func(v *sim.View, j sim.JobID) float64 { return v.Run(j).Left() / v.Job(j).Width() }
	}
	p.admits, p.preempts = s.Bool("reject", true), s.Bool("preempt", false)
	where, latest := places.Read(s), p.latestStart
	p.rebuild = plan.Rebuild{Put: where.Refusing(), Key: left}
	switch order {
	case "allowance":
		p.rebuild.Key = func(v *sim.View, j sim.JobID) float64 { return float64(latest(v, j)) }
	case "deadline":
		p.rebuild.Key, p.rebuild.Falls = byDeadline, true
	case "arrival":
		p.rebuild.Key, p.rebuild.Falls = arrival, true
	}
	if p.rebuild.Falls && !p.admits {
		p.know = know.Nothing
	}
	return where.Paced(p), s.Err()
}

// predictedStart is latestStart by the predicted duration.
func predictedStart(v *sim.View, j sim.JobID) sim.Time {
	return before(v, j, 1e6*plan.PredictedLeft(v, j))
}
