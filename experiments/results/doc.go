// Package results asks: does learning beat Dally?
//
// Question. Timers set by PPO, by SAC and by an optimiser, and preemption learned by PPO with and
// without the true durations and by DQN, against Dally with its tuner, its manual timers, no wait
// and endless waits, rules that order by what is left or done, Tiresias as it is and tuned, and
// SRTF, on jobs that none of them saw: seven workloads on two sizes of cluster at two models of
// speed.
//
// Prediction. Timers have little room: the best static pair for each window is within a few per
// cent of Dally where the network is fast or the load low. Preemption has more, since Dally's order
// looks at the network and not at what is left to do.
//
// How to read it. The figures jct_relative compare with Dally on the same windows, as a ratio of
// mean completion times: below 1 is better. Intervals are over training seeds and windows, two
// levels. "best static timers" takes, on each window, the best of 25 fixed pairs with hindsight: no
// timer that is set once per window can do better than about that. queue_p99 says who pays.
//
// A figure has the workloads of one cluster and one model of speed.
//
// Reading guide. settings.go has the workloads and clusters, learners.go who is compared, grid.go
// the sweeps, transfer.go those of agents on settings that they were not trained on; figures.go and
// tables.go show them, cost.go what they cost.
//
// The pages docs/results*.md are filled from these sweeps:
//
//	tarry sweep --question results --scale small --out runs/results
//	tarry figures runs/results/* --question results --out runs/results-figures
package results

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "results",
		Title: "does learning beat Dally?",
		Ask: "Timers set by PPO, by SAC and by an optimiser, and preemption learned by PPO with and without the " +
			"true durations and by DQN, against " +
			"Dally with its tuner, its manual timers, no wait and endless waits, rules that order by what is left " +
			"or done, Tiresias as it is and tuned, " +
			"and SRTF, on jobs that none of them saw: seven workloads on two sizes of cluster at two models of speed.",
		Predict: "Timers have little room: the best static pair for each window is within a few per cent of Dally " +
			"where the network is fast or the " +
			"load low. Preemption has more, since Dally's order looks at the network and not at what is left to do.",
		Read: "The figures jct_relative compare with Dally on the same windows, as a ratio of mean completion " +
			"times: below 1 is better. Intervals are over " +
			"training seeds and windows, two levels. \"best static timers\" takes, on each window, the best of 25 " +
			"fixed pairs with hindsight: no timer " +
			"that is set once per window can do better than about that. queue_p99 says who pays. A figure has the " +
			"workloads of one cluster and one " +
			"model of speed.",
		Specs:   specs,
		Figures: figures,
		Tables:  tables,
	}
}
