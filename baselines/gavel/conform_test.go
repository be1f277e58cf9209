package gavel

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// policy builds a policy from settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	build := func() sim.Policy {
		p, err := New(param.Parse("policy gavel", text), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	build()
	return build
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name, text string
		without    simtest.Trait
	}{
		{"defaults", "", 0},
		{"isolated", "policy=isolated,round_s=15,recompute_s=30", 0},
		{"fifo", "policy=fifo_perf,round_s=20,recompute_s=0", 0},
		// A round shorter than what a change costs makes no progress.
		{"short", "policy=isolated,round_s=0.3,recompute_s=1,prior_s=0", simtest.Costs},
	} {
		t.Run(c.name, func(t *testing.T) {
			simtest.Policy(t, policy(t, c.text), simtest.Options{Without: c.without})
		})
	}
}
