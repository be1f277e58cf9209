package ranked

import (
	"tarry/baselines/contest"
	"tarry/baselines/rollout"
	"tarry/baselines/score"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// PlannedByRule is ByRule with a planner.
func PlannedByRule(plans rollout.Config, c contest.Config, r *score.Rule,
	auto func(leaseS float64) plan.TimerSource) sim.Policy {
	timers, by := parts(&c, r, auto)
	return planned(plans, c, timers, by)
}

// planned is a contest with a planner.
func planned(plans rollout.Config, c contest.Config, timers plan.TimerSource, by *Ranker) sim.Policy {
	plans.Demotes = c.Evict || c.Preempts()
	if by.read.predicted {
		plans.Reads = know.Estimate
	}
	return rollout.New(plans, c, timers, by)
}
