package philly

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "philly", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "philly", New, o.Named([][2]string{
		{"defaults", ""},
		{"short tries", "hold_s=2,backoff_s=1.5,tries_per_level=1,preempt_frac=0.5"},
		{"always preempted", "hold_s=3,backoff_s=0,above=wait,tries_per_level=2,preempt_frac=0,from=any"},
		{"no tries held", "hold_s=0,backoff_s=2,tries_per_level=2,preempt_frac=0,out_of_order=false"},
		{"one tenant", "unstated=none,hold_s=1,backoff_s=1"},
	}))
	t.Run("hard quotas", func(t *testing.T) { // a job of more GPUs than the quota never starts
		simtest.Policy(t, policy(t, "borrow=false,hold_s=2,backoff_s=1"),
			simtest.Options{Laws: simtest.PermuteIDs, MayStarve: true})
	})
}

func TestFaults(t *testing.T) {
	for _, text := range []string{"hold_s=-1", "hold_s=0,backoff_s=0", "backoff_s=0", "above=never",
		"tries_per_level=0", "from=machine", "preempt_frac=-0.1", "unstated=all"} {
		if _, err := New(param.Parse("policy philly", text), cluster.BestFit); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
