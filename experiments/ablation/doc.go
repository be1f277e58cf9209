// Package ablation asks: which part of Dally does the work?
//
// Question. Dally is delay timers, leases that are contested again, an order by network
// sensitivity, and a tuner. What does each one contribute?
//
// Prediction. Leases and the order matter most on a loaded cluster; timers matter where the network
// is slow.
//
// How to read it. Each series takes one part away (or replaces it) and compares with the whole on
// the same jobs, as a ratio of mean completion times; above 1 says that the part was useful.
// Intervals are paired, over seeds.
//
//	tarry sweep --question ablation --scale small --out runs/ablation
//	tarry figures runs/ablation --out runs/ablation/figures
package ablation

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "ablation",
		Title: "which part of Dally does the work?",
		Ask: "Dally is delay timers, leases that are contested again, an order by network sensitivity, and a " +
			"tuner. What does each one contribute?",
		Predict: "Leases and the order matter most on a loaded cluster; timers matter where the network is slow.",
		Read: "Each series takes one part away (or replaces it) and compares with the whole on the same jobs, as a " +
			"ratio of mean completion times; above 1 says that the part was useful. Intervals are paired, over " +
			"seeds.",
		Specs:   specs,
		Figures: figures,
	}
}
