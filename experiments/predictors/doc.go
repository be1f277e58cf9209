// Package predictors asks: how good must a predictor of run times be before scheduling by it pays?
//
// Question. Nine orders by predicted run times, with predictors from none better than one law for
// all jobs to users' guesses within a quarter, on recorded logs and generated jobs that recur: what
// is each worth beside rules that need no prediction?
//
// Prediction. A Gittins rank pays from a small R2 on, since it turns to the progress made where the
// prediction says little; the predicted time left needs an R2 of about a half, and loses below it
// where run times have a long tail. Backfilling is worth the least: easy and conservative change
// little between guesses and the truth.
//
// How to read it. gain_* compare with a rule of the same kind that needs no prediction, on the same
// windows: fifo-fit for orders that do not preempt, las for those that do, dally for those that
// place as Dally does. Their x is R2 of log run time as the schedulers saw it at each submit, the
// guesses from sigma = 2 to the truth; fitted_* have the predictors that learn from jobs that
// ended, in classes of R2. Below 0 is better. Means and intervals are over settings.
//
// Reading guide. grid.go has the settings, predictors and schedulers; read.go puts the rows
// together; gain.go and accuracy.go are the numbers, figures.go and tables.go show them. The pages
// docs/predictors*.md are filled from the stored sweep (make results).
//
//	tarry sweep --question predictors --scale small --out runs/predictors
//	tarry figures runs/predictors --out runs/predictors/figures
package predictors

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "predictors",
		Title: "how good must a predictor of run times be before scheduling by it pays?",
		Ask: "Nine orders by predicted run times, with predictors from none better than one law for all jobs to " +
			"users' guesses within a quarter, on " +
			"recorded logs and generated jobs that recur: what is each worth beside rules that need no prediction?",
		Predict: "A Gittins rank pays from a small R2 on, since it turns to the progress made where the prediction " +
			"says little; the predicted time left " +
			"needs an R2 of about a half, and loses below it where run times have a long tail. Backfilling is worth " +
			"the least: easy and conservative change " +
			"little between guesses and the truth.",
		Read: "gain_* compare with a rule of the same kind that needs no prediction, on the same windows: fifo-fit " +
			"for orders that do not preempt, las for those " +
			"that do, dally for those that place as Dally does. Their x is R2 of log run time as the schedulers saw " +
			"it at each submit, the guesses from sigma = 2 " +
			"to the truth; fitted_* have the predictors that learn from jobs that ended, in classes of R2. Below 0 " +
			"is better. Means and intervals are over settings.",
		Specs:   specs,
		Figures: figures,
		Tables:  tables,
	}
}
