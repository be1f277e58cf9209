// Package picked asks: what does learning add in RLScheduler's protocol?
//
// experiments/questions/picked.yaml says what is asked, what was expected and how to read the
// answer.
package picked

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot say.
func Answer(q *sweep.Question) {
	q.Specs, q.Figures, q.Tables = specs, figures, tables
}
