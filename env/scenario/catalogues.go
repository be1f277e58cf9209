package scenario

import (
	"tarry/baselines"
	"tarry/sim/speed"
	"tarry/traces"
)

// Catalogues are the things over the simulator that a text can name. They are handed down as a value: nothing registers
// itself. The zero value knows no name.
type Catalogues struct {
	// Policies are the schedulers of --policy, Traces the formats of --trace, Speeds the speed models of --speed.
	Policies baselines.Catalogue
	Traces   traces.Catalogue
	Speeds   speed.Catalogue
}

// All gives what tarry ships.
func All() Catalogues {
	return Catalogues{Policies: baselines.All(), Traces: traces.All(), Speeds: speed.All()}
}
