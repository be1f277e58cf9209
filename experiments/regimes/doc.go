// Package regimes asks: can one agent set Dally's timers on every network and at every load?
//
// experiments/questions/regimes.yaml says what is asked, what was expected and how to read the
// answer.
//
// Reading guide. grid.go has the regimes and the sweep, scores.go the numbers of policies on
// windows, tables.go and figures.go show them.
package regimes

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot say.
func Answer(q *sweep.Question) {
	q.Specs, q.Figures, q.Tables = specs, figures, tables
}
