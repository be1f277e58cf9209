package gavel

import (
	"testing"

	"tarry/baselines/gavel/gaveltest"
	"tarry/sim"
)

// play runs a policy and gives each job's completion time in seconds by its id, and the makespan.
func play(t testing.TB, cfg sim.Config, settings string) (map[string]float64, float64) {
	t.Helper()
	return gaveltest.Play(t, cfg, New, settings)
}
