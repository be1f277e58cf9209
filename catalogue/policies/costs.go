package policies

import "tarry/sim/entry"

// costs has the policies that need more than ten times dally's processor time on Philly by the
// nature of their algorithm; make cost measures them.
func costs() map[string]entry.Cost {
	return map[string]entry.Cost{
		"muri": {JobMs: 2, Why: "groups of jobs by weighted matchings of up to block groups, at each arrival and end",
			Bounds: []string{"matching", "block", "max"}},
		"ones": {JobMs: 7, Why: "an evolutionary search over all jobs at each arrival, end and epoch",
			Bounds: []string{"population", "generations", "every"}},
		"pollux": {JobMs: 300, Why: "a genetic search over jobs x machines each simulated minute",
			Bounds: []string{"population", "generations", "interval"}},
		"shockwave": {JobMs: 0.8, Why: "a market over all jobs and the next rounds, in each round in which jobs come or go",
			Bounds: []string{"round_s", "future_rounds"}},
		"sia": {JobMs: 1.1, Why: "an integer programme over all jobs and configurations in each round",
			Bounds: []string{"interval_s"}},
		"slaq": {JobMs: 0.12, Why: "a fit of the losses of each running job that its last fit did not foresee, in each epoch",
			Bounds: []string{"epoch", "points"}},
	}
}
