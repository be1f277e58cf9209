// Package results asks: does learning beat Dally?
//
// experiments/questions/results.yaml states what is asked, what was expected and how to read the
// answer.
//
// Reading guide. settings.go has the workloads and clusters, learners.go who is compared,
// grid.go the sweeps, transfer.go the sweeps of agents on settings that they were not trained on;
// figures.go and tables.go show them, cost.go what they cost.
package results

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot say.
func Answer(q *sweep.Question) {
	q.Specs, q.Figures, q.Tables = specs, figures, tables
}
