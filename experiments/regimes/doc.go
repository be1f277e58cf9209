// Package regimes asks: can one agent set Dally's timers on every network and at every load?
//
// experiments/questions/regimes.yaml states what is asked, what was expected and how to read the
// answer.
//
// Reading guide. scores.go has the numbers of policies on windows, tables.go and figures.go show
// them, placebo.go holds choices against luck.
package regimes

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot express.
func Answer(q *sweep.Question) {
	q.Figures, q.Tables = figures, tables
}

// Names of schedulers and learners that figures refer to.
const (
	dally  = "dally"
	search = "search"
	ppo    = "ppo"
)
