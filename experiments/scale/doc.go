// Package scale asks: how many jobs does a run need before its mean can be trusted?
//
// Question. A short run starts and ends with an empty cluster. How do mean completion time and the
// difference between policies change from a hundred jobs to a million?
//
// Prediction. At a load of 0.9 the mean grows for thousands of jobs before it settles, and so does
// the difference between policies.
//
// How to read it. jct_mean and jct_relative against the number of jobs on a logarithmic axis, with
// 95 % intervals over seeds. Where a curve still climbs, a run of that length measures the start,
// not the policy.
//
//	tarry sweep --question scale --scale small --out runs/scale
//	tarry figures runs/scale --out runs/scale/figures
package scale

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "scale",
		Title: "how many jobs does a run need before its mean can be trusted?",
		Ask: "A short run starts and ends with an empty cluster. How do mean completion time and the difference " +
			"between policies change from a hundred jobs to a million?",
		Predict: "At a load of 0.9 the mean grows for thousands of jobs before it settles, and so does the difference " +
			"between policies.",
		Read: "jct_mean and jct_relative against the number of jobs on a logarithmic axis, with 95 % intervals over" +
			" seeds. Where a curve still climbs, a run of that length measures the start, not the policy.",
		Specs:   specs,
		Figures: figures,
	}
}
