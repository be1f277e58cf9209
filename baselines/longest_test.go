package baselines_test

import (
	"context"
	"testing"

	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// The longest job that a reader accepts costs every scheduler a bounded number of events: about one
// in each of its leases or rounds. The normal form of the test has a tenth of that job, and of the
// events.
func TestLongestJobIsCheap(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 1, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	run := effort.Of(t, sim.Time(100_000_000), 1_000_000_000) * sim.Second
	w, err := sim.NewWorkload("long", []sim.Job{{ID: "a", GPUs: 2, Work: 2 * run},
		{ID: "b", GPUs: 1, Work: sim.Second, Submit: sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range everything() {
		p, err := entry.New(param.Parse(entry.Name, ""), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}}, p)
		if err != nil {
			t.Fatal(err)
		}
		most := int64(run / sim.Second / 250)
		polls := peers()[entry.Name].polls != ""
		if polls != (e.Events() > most) || e.Record(0).State != sim.Done || e.Record(1).State != sim.Done {
			t.Errorf("%s: %d events, expected at most %d (more where peers lists it); jobs %v and %v", entry.Name,
				e.Events(), most, e.Record(0).State, e.Record(1).State)
		}
	}
}
