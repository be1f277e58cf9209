package miger

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "miger-like", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "miger-like", New, o.Settings(
		"", "least=0,repartition_s=0.5,horizon_s=10", "pairs=false,jobs=3,gangs=first",
	))
}
