// Package order asks: does a learned order of the queue, which knows no run times, beat Dally and
// the best rule by hand?
//
// Question. A score per job (tarry/Order-v0), whose weights a search chooses by simulating windows,
// against Dally, Dally without limits on waiting, and rules that order by the same predictions or
// by attained service, each tuned on training windows and chosen on validation: five workloads on
// 64 GPUs, on jobs that none of them saw.
//
// Prediction. Against Dally most is gained by the predictions, and a tuned rule has nearly all of
// it. The learned order gains more where GPUs, age and pressure matter beside the rank: in the
// batch list and in overload.
//
// How to read it. jct_relative is the ratio of mean completion times to Dally's on the same
// windows, below 1 is better. Intervals are over training seeds and windows, two levels. "best
// rule" is that of the rules with the least mean on the windows of test, chosen for each workload
// with hindsight: a harder mark than the one chosen on validation. Rows that begin with "ideal:",
// "hindsight:" and "placebo:" could not run (docs/bounds.md).
//
// Reading guide. settings.go has the workloads, learners.go who learns, rules.go who is tuned,
// grid.go the sweeps, transfer.go those on settings that the agents were not trained on,
// ablation.go those with fewer features or worse predictions, who.go that of who pays; figures.go
// and tables.go show them.
//
//	tarry sweep --question order --scale small --out runs/order
//	tarry figures runs/order/* --question order --out runs/order-figures
package order

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "order",
		Title: "does a learned order of the queue, which knows no run times, beat Dally and the best rule?",
		Ask: "A score per job, whose weights a search chooses by simulating windows, against Dally, Dally without " +
			"limits on waiting, and rules that order by the " +
			"same predictions or by attained service, each tuned on training windows: five workloads on 64 GPUs, on " +
			"jobs that none of them saw.",
		Predict: "Against Dally most is gained by the predictions, and a tuned rule has nearly all of it. The " +
			"learned order gains more where GPUs, age and pressure " +
			"matter beside the rank: in the batch list and in overload.",
		Read: "jct_relative is the ratio of mean completion times to Dally's on the same windows, below 1 is " +
			"better. Intervals are over training seeds and " +
			"windows, two levels. \"best rule\" is that of the rules with the least mean on the windows of test, " +
			"chosen for each workload with hindsight. Rows " +
			"that begin with ideal:, hindsight: and placebo: could not run (docs/bounds.md).",
		Specs:   specs,
		Figures: figures,
		Tables:  tables,
	}
}
