// Package heterogeneity asks: what do speeds by GPU type and model gain, and does
// that still hold where placement matters?
//
// experiments/questions/heterogeneity.yaml states what is asked, what was expected and how to
// read the answer.
//
// Reading guide. hardware.go has the types and models, who.go names of schedulers; figures.go draws the figures,
// jobs.go and usage.go count what no column has, and tables.go makes the tables of
// docs/results/heterogeneity.md.
package heterogeneity

import "tarry/experiments/sweep"

// answer draws and fills; forms are the schedulers of several forms of placement, of which validation
// chooses one each.
type answer struct{ forms [][]string }

// Answer adds what the question's file cannot express.
func Answer(q *sweep.Question) {
	a := answer{q.Forms}
	q.Figures, q.Tables = a.figures, a.tables
}
