package contest

import (
	"context"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// The lease of a large job ends as a small one comes, which takes its GPU in the plan and waits for
// its checkpoint; the large one evicts another. In the second contest of that instant its memory is
// in use still: the small job must not start on the GPU beside it.
func TestCheckpointHoldsItsMemoryAfterAnEviction(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{
		{Count: 1, GPUs: 1, MemMiB: 12288}, {Count: 1, GPUs: 2, MemMiB: 12288}}}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("hosts", []sim.Job{
		{ID: "victim", GPUs: 1, MemMiB: 9000, Work: 900 * sim.Second},
		{ID: "large", GPUs: 1, MemMiB: 9000, Work: 300 * sim.Second, Submit: sim.Second},
		{ID: "small", GPUs: 1, MemMiB: 4000, Work: 30 * sim.Second, Submit: 61 * sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	p := New(Config{LeaseS: 60, Order: ShortestTime(), Evict: true, Rule: cluster.BestFit}, NewFixed(0, 0, 60))
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
		Costs: sim.Costs{Checkpoint: sim.Cost{FixedS: 7}}}, p)
	if err != nil {
		t.Fatal(err)
	}
	if r := e.Record(0); r.Preemptions == 0 {
		t.Error("no job was evicted: the test shows nothing")
	}
	if got, want := e.Record(2).Start, 68*sim.Second; got != want {
		t.Errorf("the small job starts at %d, expected %d: when the checkpoint is written", got, want)
	}
}
