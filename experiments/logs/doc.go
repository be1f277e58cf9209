// Package logs asks: does a learned order beat EASY and the best rule on logs of batch clusters?
//
// experiments/questions/logs.yaml states what is asked, what was expected and how to read the
// answer.
//
// Reading guide. The file has the grid: logs and loads, rules, learners, sweeps. figures.go and
// tables.go show them; users.go counts which users lose from jobs' rows, and payers.go shows what it
// stored. The page docs/results/logs.md and the files of all tables are made from the stored sweeps
// (tarry reproduce).
package logs

import "tarry/experiments/sweep"

// Answer adds what the question's file cannot express.
func Answer(q *sweep.Question) {
	q.Figures, q.Tables = figures, tables
}
