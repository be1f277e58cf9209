package baselines_test

import (
	"context"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// Every scheduler runs a job over two machines where the memory of one holds half of it, however
// near its GPUs could be, and refuses none but what no machines hold.
func TestMemoryBinds(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 2, MemMiB: 65536}}}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("memory", []sim.Job{{ID: "a", GPUs: 2, Work: 100 * sim.Second, MemMiB: 60000,
		Model: "a"}, {ID: "b", GPUs: 1, Work: sim.Second, MemMiB: 70000, Model: "a"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range everything() {
		_, build, err := everything().Parse(entry.Name, cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		policy, err := build()
		if err != nil {
			t.Fatal(err)
		}
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
			Check: true}, policy)
		if err != nil {
			t.Errorf("%s: %v", entry.Name, err)
			continue
		}
		if a, b := e.Record(0).State, e.Record(1).State; (peers()[entry.Name].hostless == "") ==
			(a != sim.Done && a != sim.Rejected || b != sim.Refused) {
			t.Errorf("%s: the job is %v, the other %v, expected done and refused, but where peers lists it", entry.Name, a, b)
		}
	}
}
