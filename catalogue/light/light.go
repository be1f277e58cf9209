// Package light lists what a program for a browser can name: generated jobs, speed models without
// files, and schedulers whose code is small. catalogue/simulation has all.
package light

import (
	"tarry/catalogue/generator"
	"tarry/catalogue/policies"
	"tarry/catalogue/speeds"
	"tarry/env/scenario"
	"tarry/sim/entry"
)

// All gives the lists.
func All() scenario.Catalogues {
	return scenario.Catalogues{Policies: policies.Light(), Traces: entry.Traces{generator.Entry()},
		Speeds: speeds.Light()}
}
