// Package results asks: does learning beat Dally?
//
// experiments/questions/results.yaml states what is asked, what was expected and how to read the
// answer.
//
// Reading guide. The file has the grid: workloads and clusters, learners, sweeps. figures.go and
// tables.go show them, cost.go what they cost.
package results

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot express.
func Answer(q *sweep.Question) {
	q.Figures, q.Tables = figures, tables
}
