package queueing_test

import (
	"context"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// A job that insists on a type takes it from one that does not, although other GPUs are free; the
// latter continues there at once.
func TestTypesAreClaimedByThoseWhoNeedThem(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Type: "fast"},
		{Count: 1, GPUs: 2, Type: "slow"}}}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("typed", []sim.Job{
		{ID: "any", GPUs: 2, Work: 40 * sim.Second},
		{ID: "fast", GPUs: 2, Work: 6 * sim.Second, Submit: sim.Second, GPUType: "fast"},
		{ID: "later", GPUs: 1, Work: 90 * sim.Second, Submit: 2 * sim.Second, GPUType: "slow"},
	})
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
		Check: true}, policy(t, "srtf", ""))
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range []sim.Time{20 * sim.Second, 4 * sim.Second, 110 * sim.Second} {
		if r := e.Record(sim.JobID(id)); r.End != want {
			t.Errorf("job %s ended at %v, want %v (%+v)", w.Jobs[id].ID, r.End, want, r)
		}
	}
}
