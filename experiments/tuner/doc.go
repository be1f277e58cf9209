// Package tuner asks: is the auto-tuner better than fixed timers?
//
// Question. Dally tunes its timers from the waits of recent grants. Does that beat the default of 6
// and 12 leases, no wait and endless waits, and how long should its memory be?
//
// Prediction. With its lower bounds of 6 and 12 leases and a window of 12 the tuner can hardly
// move, so that it equals the manual timers; longer windows and smaller bounds let it move, which
// helps only where loads change.
//
// How to read it. jct_mean per variant and load; jct_relative compares with the manual timers on
// the same jobs, below 1 is better for the tuner.
//
//	tarry sweep --question tuner --scale small --out runs/tuner
//	tarry figures runs/tuner --out runs/tuner/figures
package tuner

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "tuner",
		Title: "is the auto-tuner better than fixed timers?",
		Ask: "Dally tunes its timers from the waits of recent grants. Does that beat the default of 6 and 12 " +
			"leases, no wait and endless waits, and how long should its memory be?",
		Predict: "With its lower bounds of 6 and 12 leases and a window of 12 the tuner can hardly move, so that " +
			"it equals " +
			"the manual timers; longer windows and smaller bounds let it move, which helps only where loads change.",
		Read: "jct_mean per variant and load; jct_relative compares with the manual timers on the same jobs, below " +
			"1 is better for the tuner.",
		Specs:   specs,
		Figures: figures,
	}
}
