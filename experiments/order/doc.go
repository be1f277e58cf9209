// Package order asks: does a learned order of the queue, which knows no run times, beat Dally and
// the best rule by hand?
//
// experiments/questions/order.yaml states what is asked, what was expected and how to read the
// answer.
//
// Reading guide. The file has the grid: workloads, rules, learners, sweeps. figures.go and tables.go
// show them; best.go finds the best rule of each workload, chosen.go the rule that validation
// chose, ablation.go the rule beside each variant, payers.go which jobs lose, weights.go what was
// learned.
package order

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot express.
func Answer(q *sweep.Question) {
	q.Figures, q.Tables = figures, tables
}
