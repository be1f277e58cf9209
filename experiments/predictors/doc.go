// Package predictors asks: how good must a predictor of run times be before scheduling by it gains?
//
// experiments/questions/predictors.yaml says what is asked, what was expected and how to read
// the answer.
//
// Reading guide. grid.go has the settings, predictors and schedulers; read.go puts the rows
// together; gain.go and accuracy.go are the numbers, figures.go and tables.go show them. The
// pages docs/predictors*.md are filled from the stored sweep (tarry reproduce).
package predictors

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot say.
func Answer(q *sweep.Question) {
	q.Specs, q.Figures, q.Tables = specs, figures, tables
}
