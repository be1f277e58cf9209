package variants

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
	"tarry/sim/simtest/hand"
)

// A job whose lease ended and whose GPUs another has won uses the memory of its machine until its
// checkpoint is written: a third, which would need that memory, does not start before.
func TestMemoryOfLeavingJobs(t *testing.T) {
	spec := cluster.Uniform(1, 1, 3, 1)
	spec.Racks[0][0].MemMiB = 8192
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	w := hand.Numbered(t,
		sim.Job{ID: "leaves", GPUs: 2, Work: 100 * sim.Second, MemMiB: 2250},
		sim.Job{ID: "wins", GPUs: 2, Work: 20 * sim.Second, Submit: sim.Second},
		sim.Job{ID: "waits", GPUs: 1, Work: 10 * sim.Second, Submit: 2 * sim.Second, MemMiB: 5135})
	got := play(t, sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
		Costs: sim.Costs{Checkpoint: sim.Cost{FixedS: 1}}}, makeNoWait, "lease=5,order=las")
	const want = `5s preempt job 0
6s job 1 on [0 1]
6s job 2 on [2]`
	if !strings.Contains(got, want) {
		t.Errorf("got\n%s\nexpected\n%s", got, want)
	}
}
