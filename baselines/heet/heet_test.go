package heet

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy builds a policy from settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "heet-like", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 100, Laws: simtest.NullJob}
	simtest.Conform(t, "heet-like", New, o.Settings(""))
	o.Without = simtest.Costs
	simtest.Conform(t, "heet-like", New, o.Settings(
		"round=0", "round=8,order=fifo,measure=all", "round=15,least=0,balance=2,stay=0",
	))
}
