// Package transfer asks: does an agent serve a workload, a load or a cluster that it was not
// trained on?
//
// Question. Agents trained at one load, on one law of jobs or on one size of cluster, measured on
// another.
//
// Prediction. Observations are relative to the cluster and the lease, so that a change of size
// costs little; a change of the law of jobs costs more.
//
// How to read it. Each group is a test setting, each point where the agent was trained; ratios to
// Dally's mean completion time on the same windows, with intervals over training seeds and windows.
//
//	tarry sweep --question transfer --scale small --out runs/transfer
//	tarry figures runs/transfer --out runs/transfer/figures
package transfer

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "transfer",
		Title: "does an agent serve a workload, a load or a cluster that it was not trained on?",
		Ask:   "Agents trained at one load, on one law of jobs or on one size of cluster, measured on another.",
		Predict: "Observations are relative to the cluster and the lease, so that a change of size costs little; a " +
			"change of the law of jobs costs more.",
		Read: "Each group is a test setting, each point where the agent was trained; ratios to Dally's mean " +
			"completion time on the same windows, with intervals over training seeds and windows.",
		Specs:   specs,
		Figures: figures,
	}
}
