// Package simulation lists what tarry ships for a simulation: policies, trace formats, speed models
// and predictors.
package simulation

import (
	"tarry/baselines"
	"tarry/env/scenario"
	"tarry/sim/speed"
	"tarry/traces"
	"tarry/traces/predict"
)

// All gives what tarry ships.
func All() scenario.Catalogues {
	return scenario.Catalogues{Policies: baselines.All(), Traces: traces.All(), Speeds: speed.All(),
		Predictors: predict.All()}
}
