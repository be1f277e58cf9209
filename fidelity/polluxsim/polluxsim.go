// Package polluxsim is Optimus (baselines/optimus) as Pollux (Qiao et al., OSDI 2021) was compared
// with it, in the simulator of Pollux' authors: intervals of 60 s, step times and remaining
// iterations from an oracle (the speed model's telemetry), the job's own batch, placement from the
// machines with most free GPUs. One GPU always has two steps of accumulation in the predictions.
// The iterations left are those from the end of the present epoch to the end of the last, and 1 in
// the last. Where a speed model has no telemetry, time left follows from speeds on the nearest GPUs
// and the true work. polluxref compares it; docs/schedulers/pollux.md states what agrees.
//
// outlook.go has what the oracle states.
package polluxsim

import (
	"tarry/baselines/optimus"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// OptimusParams describes the settings for the catalogue.
const OptimusParams = `every      time between two decisions, s`

// NewOptimus makes that Optimus. Parameters: OptimusParams.
func NewOptimus(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	every := max(1, sim.Seconds(s.Float("every", 60, 1e-6, 1e12)))
	return optimus.By(&outlook{}, every, rule), s.Err()
}
