// Package load asks: how do the schedulers compare from a calm to an overloaded cluster?
//
// Question. From a load of 0.3 to 1.1, which scheduler has the shortest mean completion time, and
// where do they change places?
//
// Prediction. At low load all but those that wait needlessly are equal; from 0.8 on the order of
// service decides, and those that know the work (SRTF) win.
//
// How to read it. jct_mean, slowdown_mean and gpu_util against the load, 95 % intervals over seeds;
// jct_relative compares with Dally on the same jobs.
//
// Orders that say nothing of places stand in the plain form and in the one, of consolidation and
// delay timers, that validation chose on seeds from 1001.
//
//	tarry sweep --question load --scale small --out runs/load
//	tarry figures runs/load --out runs/load/figures
package load

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "load",
		Title: "how do the schedulers compare from a calm to an overloaded cluster?",
		Ask: "From a load of 0.3 to 1.1, which scheduler has the shortest mean completion time, and where do they " +
			"change places?",
		Predict: "At low load all but those that wait needlessly are equal; from 0.8 on the order of service decides, " +
			"and those that know the work (SRTF) win.",
		Read: "jct_mean, slowdown_mean and gpu_util against the load, 95 % intervals over seeds; jct_relative " +
			"compares with Dally on the same jobs.",
		Specs:   specs,
		Figures: figures,
	}
}
