// Package picked asks: what does learning add in RLScheduler's protocol?
//
// experiments/questions/picked.yaml states what is asked, what was expected and how to read the
// answer.
//
// Reading guide. who.go has the names of learners and rivals, figures.go draws the figures and makes
// the tables, seeds.go makes the table of seeds.
package picked

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot express.
func Answer(q *sweep.Question) {
	q.Figures, q.Tables = figures, tables
}
