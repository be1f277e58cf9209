// Package sharing asks: when is it better to share a near GPU than to wait for a free one?
//
// experiments/questions/sharing.yaml says what is asked, what was expected and how to read the
// answer.
//
// Reading guide. who.go has the schedulers, grid.go the sweeps, figures.go draws them,
// tables.go makes the tables of docs/sharing.md.
package sharing

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot say.
func Answer(q *sweep.Question) {
	q.Specs, q.Figures, q.Tables = specs, figures, tables
}
