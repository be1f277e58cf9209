// Package elastic asks: does elasticity make delay timers unnecessary?
//
// experiments/questions/elastic.yaml says what is asked, what was expected and how to read the
// answer.
//
// Reading guide. who.go has the schedulers and rules, grid.go the sweeps, figures.go draws
// them, gain.go chooses timers, tables.go makes the tables of docs/elasticity.md, due.go is all
// of deadlines.
package elastic

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot say.
func Answer(q *sweep.Question) {
	q.Specs, q.Figures, q.Tables = specs, figures, tables
}
