// Package clustersize asks: does the answer depend on the size of the cluster?
//
// Question. At the same load per GPU, a larger cluster has more places of every kind. Do timers
// still matter?
//
// Prediction. The larger the cluster, the shorter the wait for a machine and the smaller the
// differences between policies.
//
// How to read it. jct_relative compares with Dally on the same jobs, against the number of GPUs on
// a logarithmic axis; jct_mean and comm_frac are means with 95 % intervals over seeds.
//
//	tarry sweep --question clustersize --scale small --out runs/clustersize
//	tarry figures runs/clustersize --out runs/clustersize/figures
package clustersize

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "clustersize",
		Title: "does the answer depend on the size of the cluster?",
		Ask:   "At the same load per GPU, a larger cluster has more places of every kind. Do timers still matter?",
		Predict: "The larger the cluster, the shorter the wait for a machine and the smaller the differences between " +
			"policies.",
		Read: "jct_relative compares with Dally on the same jobs, against the number of GPUs on a logarithmic axis;" +
			" jct_mean and comm_frac are means with 95 % intervals over seeds.",
		Specs:   specs,
		Figures: figures,
	}
}
