// Package vodasim is VODA (baselines/voda) with the defects of the published program: some
// algorithms give a job less than its minimum, and the job then waits, for ever if need be, where
// that program ends. baselines/voda/allocate lists the defects; `make reference` compares all
// allocations.
package vodasim

import (
	"tarry/baselines/voda"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue: VODA's.
const Params = voda.Params

// New makes VODA as published. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) { return voda.NewBy(false)(s, rule) }
