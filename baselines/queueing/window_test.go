package queueing_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// starts are when the jobs of a workload start, by run times that are guessed.
func starts(t *testing.T, w *sim.Workload, est []int64, gpus int, params string) (at []sim.Time) {
	t.Helper()
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: topology(t, 1, 2, gpus/2),
		Speed: simtest.Counting{}, Check: true,
		Estimate: func(j sim.JobID) sim.Time { return sim.Time(est[j] * int64(w.Jobs[j].GPUs)) }},
		policy(t, "conservative", params))
	if err != nil {
		t.Fatal(err)
	}
	for id := range w.Jobs {
		at = append(at, e.Record(sim.JobID(id)).Start)
	}
	return at
}

// A depth that the queue never exceeds, and an interval below the distance of two instants, change
// nothing; smaller depths and longer intervals do.
func TestLimitsThatDoNotBind(t *testing.T) {
	differ := map[string]int{}
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 0xdeb7))
		w, est := small(t, r, 8)
		for _, place := range []string{"", ",place=consolidate", ",place=delay,delay_machine_s=3"} {
			want := fmt.Sprint(starts(t, w, est, 8, "depth=0,interval=0"+place))
			for _, limits := range []string{fmt.Sprint("depth=", len(w.Jobs)), "interval=1e-6", "depth=2", "interval=1e-5",
				"interval=10"} {
				if fmt.Sprint(starts(t, w, est, 8, limits+place)) == want {
					continue
				}
				if differ[limits]++; limits != "depth=2" && limits != "interval=1e-5" && limits != "interval=10" {
					t.Fatalf("seed %d, %s%s: other starts than without limits", seed, limits, place)
				}
			}
		}
	}
	if differ["depth=2"] < 30 || differ["interval=10"]+differ["interval=1e-5"] < 30 {
		t.Errorf("starts that limits changed: %v; the cases are too easy", differ)
	}
}
