// Package speedmodel asks: how much of a result comes from the model of the network?
//
// Question. The same jobs and policies under five models of what a placement costs, from none at
// all to links that jobs share. Which conclusions survive?
//
// Prediction. With counting, placement is free and waiting is a pure loss; the dearer the network,
// the better the policies that wait.
//
// How to read it. jct_relative compares with Dally under the same model on the same jobs: a
// conclusion that changes its sign between models should not be drawn from one of them.
//
//	tarry sweep --question speedmodel --scale small --out runs/speedmodel
//	tarry figures runs/speedmodel --out runs/speedmodel/figures
package speedmodel

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "speedmodel",
		Title: "how much of a result comes from the model of the network?",
		Ask: "The same jobs and policies under five models of what a placement costs, from none at all to links " +
			"that jobs share. Which conclusions survive?",
		Predict: "With counting, placement is free and waiting is a pure loss; the dearer the network, the better the " +
			"policies that wait.",
		Read: "jct_relative compares with Dally under the same model on the same jobs: a conclusion that changes " +
			"its sign between models should not be drawn from one of them.",
		Specs:   specs,
		Figures: figures,
	}
}
