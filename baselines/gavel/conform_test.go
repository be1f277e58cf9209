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
	for _, c := range []struct {
		name, text string
		without    simtest.Trait
	}{
		{"defaults", "", 0},
		{"isolated", "policy=isolated,round_s=15,recompute_s=30", 0},
		{"fifo", "policy=fifo_perf,round_s=20,recompute_s=0", 0},
		// A round shorter than what a change costs makes no progress.
		{"ftf", "policy=ftf,round_s=17,recompute_s=30", 0},
		{"agnostic", "perf=false,round_s=16,recompute_s=20,entity=vc", 0},
		{"cost", "policy=cost,slo=true,prices=3/2,round_s=20,recompute_s=30", 0},
		{"short", "policy=isolated,round_s=0.3,recompute_s=1,prior_s=0", simtest.Costs},
	} {
		t.Run(c.name, func(t *testing.T) {
			simtest.Policy(t, policy(t, c.text), simtest.Options{Without: c.without})
		})
	}
}

// TestPairsConformance: with pairs the problems allocate. Their jobs do half as much in a pair here, so that pair_min admits what brings nothing.
func TestPairsConformance(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"max-min", "packing=true,pair_min=0.5,round_s=20,recompute_s=30"},
		{"ftf", "policy=ftf,packing=true,pair_min=0,round_s=17,recompute_s=30"},
		{"throughput", "policy=throughput,packing=true,pair_min=0,round_s=20,recompute_s=0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			simtest.Policy(t, policy(t, c.text), simtest.Options{Allocates: true})
		})
	}
}

// TestSimulatorConformance: the simulator's habits leave jobs unfinished that fail, that need GPUs of several types, or that the kernel slows down.
// It knows no costs: where a restart takes longer than a round, nothing gets done.
func TestSimulatorConformance(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"isolated", "policy=isolated,round_s=15,recompute_s=30"},
		{"none of them", "policy=max-min,round_s=4,recompute_s=10,ends=fixed,steps=fluid,split=false,late=false"},
	} {
		t.Run(c.name, func(t *testing.T) {
			simtest.Policy(t, policy(t, "mode=simulator,"+c.text), simtest.Options{MayStarve: true, Without: simtest.Costs})
		})
	}
}
