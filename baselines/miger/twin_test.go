package miger

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// TestWithoutSharing: with one job on a GPU, and where a share is a part of the time so that
// sharing gains nothing, the policy is fifo-fit, on GPUs that can be cut or not.
func TestWithoutSharing(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 9))
		top := machines(t, 4, int(seed%2)*2)
		js := drawn(r)
		for i := range js {
			js[i].Priority, js[i].ShareMilli = 0, 0
		}
		w, err := sim.NewWorkload("singles", js)
		if err != nil {
			t.Fatal(err)
		}
		run := func(p sim.Policy, speed sim.SpeedModel) []string {
			var tape simtest.Tape
			if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: speed,
				Check: true}, p, &tape); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			return tape.Lines
		}
		fit, err := queueing.NewFitFirst(param.Parse("policy fifo-fit", ""), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		want := run(fit, simtest.Counting{})
		if got := run(policy(t, "jobs=1")(), instances{top}); !slices.Equal(got, want) {
			t.Fatalf("seed %d: one job on a GPU\n%q\nexpected\n%q", seed, got, want)
		}
		if got := run(policy(t, "")(), simtest.Counting{}); !slices.Equal(got, want) {
			t.Fatalf("seed %d: sharing without gain\n%q\nexpected\n%q", seed, got, want)
		}
	}
}
