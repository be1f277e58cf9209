// Package order asks: does a learned order of the queue, which knows no run times, beat Dally and
// the best rule by hand?
//
// experiments/questions/order.yaml states what is asked, what was expected and how to read the
// answer.
//
// Reading guide. settings.go has the workloads, learners.go who learns, rules.go who is tuned,
// grid.go the sweeps, transfer.go those on settings that the agents were not trained on,
// ablation.go sweeps with fewer features or worse predictions, who.go the sweep of which jobs lose;
// figures.go and tables.go show them.
package order

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot say.
func Answer(q *sweep.Question) {
	q.Specs, q.Figures, q.Tables = specs, figures, tables
}
