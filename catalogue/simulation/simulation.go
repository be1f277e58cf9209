// Package simulation lists what tarry ships for a simulation: policies, trace formats, speed models
// and predictors.
package simulation

import (
	"tarry/catalogue/policies"
	"tarry/catalogue/predictors"
	"tarry/catalogue/speeds"
	"tarry/catalogue/traces"
	"tarry/env/scenario"
)

// All gives what tarry ships.
func All() scenario.Catalogues {
	return scenario.Catalogues{Policies: append(policies.All(), policies.Variants()...), Traces: traces.All(),
		Speeds: speeds.All(), Predictors: predictors.All()}
}
