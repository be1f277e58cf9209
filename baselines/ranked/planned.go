package ranked

import (
	"math"

	"tarry/baselines/contest"
	"tarry/baselines/rollout"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/rng"
)

// readPlanner reads the settings of a planner for leases of leaseS seconds; nil = there is none.
func readPlanner(s *param.Set, leaseS float64) *rollout.Config {
	c := &rollout.Config{}
	c.Variants = s.Int("rollout", 0, 0, 1000)
	c.Samples = s.Int("samples", 16, 2, 1000)
	c.Errors = s.Float("errors", 1, 0, 100)
	c.Instants = s.Int("instants", 20000, 1, 1_000_000_000)
	c.Epoch = contest.Leases(s.Float("epoch", 0.25, 0, 1e4), leaseS)
	c.Arrivals = s.Int("arrivals", 0, 0, math.MaxInt32)
	c.Draws = rng.Source{Seed: uint64(s.Int("draws", 1, 0, math.MaxInt32)), Experiment: "rollout"}.Stream("work")
	if c.Variants == 0 {
		return nil
	}
	return c
}

// planned is a contest with a planner.
func planned(plans *rollout.Config, c contest.Config, timers plan.TimerSource, by *Ranker) sim.Policy {
	plans.Demotes = c.Evict || c.Preempts()
	if by.read.predicted {
		plans.Reads = know.Estimate
	}
	return rollout.New(*plans, c, timers, by)
}
