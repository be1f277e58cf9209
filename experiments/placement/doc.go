// Package placement asks: what do order, leases, consolidation and timers each gain?
//
// experiments/questions/placement.yaml states what is asked, what was expected and how to read
// the answer.
package placement

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot express.
func Answer(q *sweep.Question) {
	q.Figures, q.Tables = figures, tables
}
