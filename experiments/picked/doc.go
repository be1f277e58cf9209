// Package picked asks: what does learning add in RLScheduler's protocol?
//
// Question. Agents of tarry/Pick-v0 that pick which waiting job is next, by a search over a linear
// score or one with hidden units and by PPO, against SJF, F1, WFP3 and UNICEP with the true wait,
// on the ten published windows of Lublin-1 and Lublin-2, without and with backfilling.
//
// Prediction. Without backfilling a score that begins as SJF gains a few per cent by keeping wide
// jobs back, and F1 stays close; with backfilling the gain is larger, since the order of the picks
// decides what may run beside them. PPO stays near the SJF that it imitates first.
//
// How to read it. Numbers are mean bounded slowdowns: over the jobs of a window, then over windows.
// A learner's row is the mean over its training seeds, with a 95 % interval over seeds and windows;
// differences are of the same windows. The windows differ more than ten-fold, so the interval of a
// mean is wide where that of a difference is narrow. No job of the test windows is in training or
// validation.
//
//	tarry sweep --question picked --scale small --out runs/picked
//	tarry figures runs/picked --out runs/picked/figures
package picked

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "picked",
		Title: "what does learning add in RLScheduler's protocol?",
		Ask: "Agents of tarry/Pick-v0 that pick which waiting job is next, by a search over a linear score or one " +
			"with hidden units and by PPO, " +
			"against SJF, F1, WFP3 and UNICEP with the true wait, on the ten published windows of Lublin-1 and " +
			"Lublin-2, without and with backfilling.",
		Predict: "Without backfilling a score that begins as SJF gains a few per cent by keeping wide jobs back, " +
			"and F1 stays close; with backfilling " +
			"the gain is larger, since the order of the picks decides what may run beside them. PPO stays near the " +
			"SJF that it imitates first.",
		Read: "Numbers are mean bounded slowdowns: over the jobs of a window, then over windows. A learner's row is " +
			"the mean over its training seeds, " +
			"with a 95 % interval over seeds and windows; differences are of the same windows. The windows differ " +
			"more than ten-fold, so the interval of a mean is wide " +
			"where that of a difference is narrow. No job of the test windows is in training or validation.",
		Specs:   specs,
		Figures: figures,
		Tables:  tables,
	}
}
