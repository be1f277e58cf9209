// Package elastic asks: does elasticity make delay timers unnecessary?
//
// experiments/questions/elastic.yaml states what is asked, what was expected and how to read the
// answer.
//
// Reading guide. who.go has names of schedulers and rules, figures.go draws the figures, gain.go chooses
// timers, tables.go makes the tables of docs/results/elasticity.md, due.go is all of deadlines.
package elastic

import "tarry/experiments/sweep"

// answer draws and fills; forms are the schedulers of several forms of placement, of which validation
// chooses one each.
type answer struct{ forms [][]string }

// Answer adds what the question's file cannot express.
func Answer(q *sweep.Question) {
	a := answer{q.Forms}
	q.Figures, q.Tables = a.figures, a.tables
}
