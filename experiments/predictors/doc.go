// Package predictors asks: how good must a predictor of run times be before scheduling by it gains?
//
// experiments/questions/predictors.yaml states what is asked, what was expected and how to read
// the answer.
//
// Reading guide. who.go has the names of predictors and orders; read.go puts the rows together; gain.go and
// accuracy.go are the numbers, agree.go compares R2 with completion times, figures.go and tables.go show
// them.
package predictors

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot express.
func Answer(q *sweep.Question) {
	q.Figures, q.Tables = figures, tables
}
