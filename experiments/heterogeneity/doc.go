// Package heterogeneity asks: what does it gain to know which GPU type suits which model, and does
// that still hold where placement matters?
//
// experiments/questions/heterogeneity.yaml says what is asked, what was expected and how to
// read the answer.
//
// Reading guide. hardware.go has the types and the speeds of models on them, who.go the
// schedulers, grid.go the sweeps; figures.go draws them, jobs.go and usage.go count what no
// column has, and tables.go makes the tables of docs/heterogeneity.md.
package heterogeneity

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot say.
func Answer(q *sweep.Question) {
	q.Specs, q.Figures, q.Tables = specs, figures, tables
}
