// Package simulation lists what tarry ships for a simulation: policies, trace formats, speed models
// and predictors.
package simulation

import (
	"tarry/catalogue/policies"
	"tarry/catalogue/speeds"
	"tarry/catalogue/traces"
	"tarry/env/scenario"
	"tarry/traces/predict"
)

// All gives what tarry ships.
func All() scenario.Catalogues {
	return scenario.Catalogues{Policies: policies.All(), Traces: traces.All(), Speeds: speeds.All(),
		Predictors: predict.All()}
}
