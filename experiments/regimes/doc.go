// Package regimes asks: can one agent set Dally's timers on every network and at every load?
//
// Question. One agent that a search found over a mixture of ten regimes (512, 256 and 64 GPUs
// behind Ethernet, 128 whose links are shared, 64 on NVLink and InfiniBand; loads 0.7 to 1.3,
// steady, in bursts, over the day), against Dally's tuner, ten constant pairs of timers, the best
// of them over the mixture and the best in each regime, with hindsight. PPO learns on from the best
// that a search found (examples/weights/timers.txt).
//
// Prediction. Endless waits win on slow networks in overload and no wait on fast ones. An agent
// that sees what coarser places cost takes the right side everywhere, and is level with the best
// constant of each regime; 10 % in the mean over the mixture, most of it from three regimes.
//
// How to read it. Numbers are means over windows of JCT / JCT under Dally on the same window, less
// 1, in per cent: below 0 is better than Dally. In means over the mixture regimes weigh alike.
// Intervals are over training seeds and windows, two levels. Both best constants are chosen on the
// windows that are shown, which favours them.
//
// Reading guide. grid.go has the regimes and the sweep, scores.go the numbers of policies on
// windows, tables.go and figures.go show them.
//
//	tarry sweep --question regimes --scale small --out runs/regimes
//	tarry figures runs/regimes --question regimes --out runs/regimes-figures
package regimes

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "regimes",
		Title: "one agent for the timers of every network and load",
		Ask: "One agent that a search found over a mixture of ten regimes (512, 256 and 64 GPUs behind Ethernet, " +
			"128 whose links are shared, 64 on NVLink and " +
			"InfiniBand; loads 0.7 to 1.3, steady, in bursts, over the day), against Dally's tuner, ten constant " +
			"pairs of timers, the best of them over the mixture " +
			"and the best in each regime, with hindsight. PPO learns on from the best that a search found.",
		Predict: "Endless waits win on slow networks in overload and no wait on fast ones. An agent that sees what " +
			"coarser places cost takes the right side " +
			"everywhere, and is level with the best constant of each regime; 10 % in the mean over the mixture, " +
			"most of it from three regimes.",
		Read: "Numbers are means over windows of JCT / JCT under Dally on the same window, less 1, in per cent: " +
			"below 0 is better than Dally. In means over the " +
			"mixture regimes weigh alike. Intervals are over training seeds and windows, two levels. Both best " +
			"constants are chosen on the windows that are shown, " +
			"which favours them.",
		Specs:   specs,
		Figures: figures,
		Tables:  tables,
	}
}
