package baselines_test

import (
	"context"
	"testing"

	"tarry/catalogue/policies"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// The longest job that a reader accepts costs every scheduler a bounded number of events: about one
// in each of its leases or rounds.
func TestLongestJobIsCheap(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 1, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	const run = 1_000_000_000 * sim.Second
	w, err := sim.NewWorkload("long", []sim.Job{{ID: "a", GPUs: 2, Work: 2 * run},
		{ID: "b", GPUs: 1, Work: sim.Second, Submit: sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range policies.All() {
		p, err := entry.New(param.Parse(entry.Name, ""), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}}, p)
		if err != nil {
			t.Fatal(err)
		}
		if most := int64(4_000_000); e.Events() > most || e.Record(0).State != sim.Done ||
			e.Record(1).State != sim.Done {
			t.Errorf("%s: %d events, expected at most %d; jobs %v and %v", entry.Name, e.Events(), most,
				e.Record(0).State, e.Record(1).State)
		}
	}
}
