// Package predictors lists the predictors of run times that tarry ships.
package predictors

import (
	"tarry/sim/entry"
	"tarry/traces/predict"
)

// All lists the predictors that tarry ships.
func All() entry.Predictors {
	return entry.Predictors{predict.None(), predict.Global(), predict.Size(), predict.UserSize(), predict.Last2(),
		predict.Request(), predict.Ridge(), predict.Mix(), predict.Stack(),
		predict.Auto()}
}
