// Package shipped lists what tarry ships for scenarios: policies, trace formats and speed models.
package shipped

import (
	"tarry/baselines"
	"tarry/env/scenario"
	"tarry/sim/speed"
	"tarry/traces"
)

// All gives what tarry ships.
func All() scenario.Catalogues {
	return scenario.Catalogues{Policies: baselines.All(), Traces: traces.All(), Speeds: speed.All()}
}
