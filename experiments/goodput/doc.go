// Package goodput asks: as the network slows, is it better to wait for close GPUs or to schedule by
// goodput?
//
// experiments/questions/goodput.yaml says what is asked, what was expected and how to read the
// answer.
//
// Reading guide. who.go has the schedulers, grid.go the sweeps, figures.go draws them,
// tables.go makes the tables of docs/goodput.md.
package goodput

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot say.
func Answer(q *sweep.Question) {
	q.Specs, q.Figures, q.Tables = specs, figures, tables
}
