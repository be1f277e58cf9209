// Package logs asks: does a learned order beat EASY and the best rule on logs of batch clusters?
//
// Question. EASY and conservative backfilling by users' requests and by predictions, the order of
// predicted time left behind EASY's reservation and a Gittins order with evictions, both as they
// stand and tuned, and a learned order without and with preemption, found on the log's own first
// half or on other logs alone: five logs with users, as they are and at 1.05 of their machine.
//
// Prediction. Most is gained by the predictions; the tuned rule and the learned order are within
// each other's intervals, and what was found on other logs is nearly as good as what was found on
// the log itself. Preemption is worth more than either where many wait.
//
// How to read it. Differences are to EASY by requests on the same windows, below 0 is better;
// intervals are over windows in pairs, for learned orders over training seeds and windows, two
// levels. Bounded slowdown has 10 s. Searches and the tuned rules simulate the same number of
// windows and make the same number small: the root of mean completion time x mean bounded slowdown.
// A * marks what knows the work that is left.
//
// Reading guide. settings.go has the logs and loads, rules.go what is tuned, learners.go who
// learns, grid.go the sweeps; figures.go and tables.go show them; users.go counts who pays from
// jobs' rows, and payers.go shows what it stored. The page docs/logs.md and that of all tables are
// filled from the stored sweeps (make results).
//
//	tarry sweep --question logs --scale small --out runs/logs
//	tarry figures runs/logs/* --question logs --out runs/logs-figures
package logs

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "logs",
		Title: "does a learned order beat EASY and the best rule on logs of batch clusters?",
		Ask: "EASY and conservative backfilling by requests and by predictions, predicted time left behind EASY's " +
			"reservation and a Gittins order with evictions, " +
			"both as they stand and tuned, and a learned order without and with preemption, found on the log's own " +
			"first half or on other logs alone: five logs with " +
			"users, as they are and at 1.05 of their machine.",
		Predict: "Most is gained by the predictions; the tuned rule and the learned order are within each other's " +
			"intervals, and what was found on other logs is " +
			"nearly as good as what was found on the log itself. Preemption is worth more than either where many wait.",
		Read: "Differences are to EASY by requests on the same windows, below 0 is better; intervals are over " +
			"windows in pairs, for learned orders over training " +
			"seeds and windows, two levels. Bounded slowdown has 10 s. Searches and the tuned rules simulate the " +
			"same number of windows and make the same number " +
			"small: the root of mean completion time x mean bounded slowdown. A * marks what knows the work that " +
			"is left.",
		Specs:   specs,
		Figures: figures,
		Tables:  tables,
	}
}
