// Package goodput asks: as the network slows, is it better to wait for close GPUs or to schedule by
// goodput?
//
// experiments/questions/goodput.yaml states what is asked, what was expected and how to read the
// answer.
//
// Reading guide. figures.go draws the figures, tables.go makes the tables of docs/results/elasticity.md.
package goodput

import "tarry/experiments/sweep"

// dally is what all are compared with.
const dally = "dally"

// answer draws and fills; forms are the schedulers of several forms of placement, of which
// validation chooses one each.
type answer struct{ forms [][]string }

// Answer adds what the question's file cannot express.
func Answer(q *sweep.Question) {
	a := answer{q.Forms}
	q.Figures, q.Tables = a.figures, a.tables
}
