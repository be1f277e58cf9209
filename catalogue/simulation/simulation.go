// Package simulation lists what tarry ships for a simulation: policies, trace formats, speed models
// and predictors.
package simulation

import (
	"tarry/catalogue/clusters"
	"tarry/catalogue/operators"
	"tarry/catalogue/policies"
	"tarry/catalogue/predictors"
	"tarry/catalogue/speeds"
	"tarry/catalogue/traces"
	"tarry/env/scenario"
)

// All gives what tarry ships.
func All() scenario.Catalogues {
	return scenario.Catalogues{Policies: append(policies.All(), policies.Variants()...), Traces: traces.All(),
		Clusters: clusters.All(),
		Speeds:   speeds.All(), Predictors: predictors.All(), Operators: operators.All()}
}
