// Package learning asks: does the agent learn, and how reliably?
//
// Question. Return of training and of validation against environment steps, over training seeds.
//
// Prediction. Validation improves in the first tens of thousands of steps and then flattens; seeds
// differ by as much as the gain.
//
// How to read it. The line is the mean over seeds, the band its 95 % interval (Student's): with few
// seeds it is wide, and a curve inside another's band is no better.
//
//	tarry sweep --question learning --scale small --out runs/learning
//	tarry figures runs/learning --out runs/learning/figures
package learning

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "learning",
		Title: "does the agent learn, and how reliably?",
		Ask:   "Return of training and of validation against environment steps, over training seeds.",
		Predict: "Validation improves in the first tens of thousands of steps and then flattens; seeds differ by as " +
			"much as the gain.",
		Read: "The line is the mean over seeds, the band its 95 % interval (Student's): with few seeds it is wide, " +
			"and a curve inside another's band is no better.",
		Specs:   specs,
		Figures: figures,
	}
}
