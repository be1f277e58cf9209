// Package learned asks: do learned policies beat the analytic ones on jobs that they never saw?
//
// Question. Agents that set Dally's timers or choose whom to preempt, against Dally, its variants,
// Tiresias, and SRTF, which knows the true durations, on test windows.
//
// Prediction. Timers have little room at moderate load: the best static ones are within a few per
// cent of Dally. Preemption has more, and the clairvoyant SRTF shows how much.
//
// How to read it. jct_relative compares with auto-tuned Dally on the same windows, below 1 is
// better; intervals are over training seeds and windows, two levels. jct_p99_relative shows who
// pays; profile is the share of windows on which a policy is within a factor of the best.
//
//	tarry sweep --question learned --scale small --out runs/learned
//	tarry figures runs/learned --out runs/learned/figures
package learned

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "learned",
		Title: "do learned policies beat the analytic ones on jobs that they never saw?",
		Ask: "Agents that set Dally's timers or choose whom to preempt, against Dally, its variants, Tiresias, and" +
			" SRTF, which knows the true durations, on test windows.",
		Predict: "Timers have little room at moderate load: the best static ones are within a few per cent of Dally. " +
			"Preemption has more, and the clairvoyant SRTF shows how much.",
		Read: "jct_relative compares with auto-tuned Dally on the same windows, below 1 is better; intervals are " +
			"over training seeds and windows, two levels. jct_p99_relative shows who pays; profile is the share of " +
			"windows on which a policy is within a factor of the best.",
		Specs:   specs,
		Figures: figures,
	}
}
