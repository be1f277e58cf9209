// Package tenants asks: who waits under delay scheduling when tenants share a cluster?
//
// experiments/questions/tenants.yaml states what is asked, what was expected and how to read the
// answer.
//
// Reading guide. who.go has the names of schedulers, figures.go draws the figures, tables.go makes
// the tables of its pages.
package tenants

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot express.
func Answer(q *sweep.Question) {
	q.Figures, q.Tables = figures, tables
}
