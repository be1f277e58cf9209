// Package placement asks: what do order, leases, consolidation and timers each gain?
//
// Question. Dally is an order by network slow-down, leases, a preference for near places and timers
// that end the wait for them. What does each gain, taken out of Dally by itself, and what do rules
// of places gain in orders that say nothing of places?
//
// Prediction. Stated before the first run. Rivals that place anywhere take 1.5 to 5 times Dally's
// mean and come within 15 % once they consolidate; timers gain less than 5 % beside endless waits;
// leases shorten the tail by a third and move the mean little; the order by network gains less than
// 5 %; srtf, consolidated, is 5 to 20 % ahead.
//
// How to read it. Differences to Dally on the same jobs, in per cent of Dally's mean, with 95 %
// intervals over replicates, and the 99th percentile of waiting in hours. A † stands behind the
// form of each order that validation chose at that setting: on other seeds, of Philly on windows of
// the validation part. The stored trace of Philly is read at full scale alone, beside the project
// (docs/data.md).
//
//	tarry sweep --question placement --scale small --out runs/placement
//	tarry figures runs/placement/* --question placement --out runs/placement-figures
package placement

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "placement",
		Title: "what do order, leases, consolidation and timers each gain?",
		Ask: "Dally is an order by network slow-down, leases, a preference for near places and timers that end the " +
			"wait for them. What does each gain, taken out of " +
			"Dally by itself, and what do rules of places gain in orders that say nothing of places?",
		Predict: "Rivals that place anywhere take 1.5 to 5 times Dally's mean and come within 15 % once they " +
			"consolidate; timers gain less than 5 % beside endless waits; " +
			"leases shorten the tail by a third and move the mean little; the order by network gains less than 5 %; " +
			"srtf, consolidated, is 5 to 20 % ahead.",
		Read: "Differences to Dally on the same jobs, in per cent of Dally's mean, with 95 % intervals over " +
			"replicates, and the 99th percentile of waiting in hours. " +
			"A † stands behind the form of each order that validation chose at that setting: on other seeds, of " +
			"Philly on windows of the validation part.",
		Specs:   specs,
		Figures: figures,
		Tables:  tables,
	}
}
