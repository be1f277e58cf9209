package gavel

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// policy builds a policy from settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "gavel", New, text)
}

func TestConformance(t *testing.T) {
	simtest.Conform(t, "gavel", New, simtest.Options{}.Named([][2]string{
		{"defaults", ""},
		{"isolated", "policy=isolated,round_s=15,recompute_s=30"},
		{"fifo", "policy=fifo_perf,round_s=20,recompute_s=0"},
		{"ftf", "policy=ftf,round_s=17,recompute_s=30"},
		{"agnostic", "perf=false,round_s=16,recompute_s=20,entity=vc"},
		{"cost", "policy=cost,slo=true,prices=3/2,round_s=20,recompute_s=30"},
	}))
	// A round shorter than what a change costs makes no progress.
	simtest.Conform(t, "gavel", New, simtest.Options{Without: simtest.Costs}.Named([][2]string{
		{"short", "policy=isolated,round_s=0.3,recompute_s=1,prior_s=0"},
	}))
}

// TestPairsConformance: with pairs the problems allocate. Their jobs do half as much in a pair
// here, so that pair_min admits what brings nothing.
func TestPairsConformance(t *testing.T) {
	simtest.Conform(t, "gavel", New, simtest.Options{Allocates: true}.Named([][2]string{
		{"max-min", "packing=true,pair_min=0.5,round_s=20,recompute_s=30"},
		{"ftf", "policy=ftf,packing=true,pair_min=0,round_s=17,recompute_s=30"},
		{"throughput", "policy=throughput,packing=true,pair_min=0,round_s=20,recompute_s=0"},
	}))
}
