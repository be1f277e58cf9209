package simtest

import (
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Build gives fresh policies of one kind with some settings, which are its parameters as text;
// place is best fit. Wrong settings fail the test.
func Build(t testing.TB, kind string, fresh func(*param.Set, cluster.Rule) (sim.Policy, error),
	text string) func() sim.Policy {
	t.Helper()
	build := func() sim.Policy {
		p, err := fresh(param.Parse("policy "+kind, text), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	build()
	return build
}

// OneRack gives jobs, which are named by their places in the list, and a rack of machines whose
// GPUs have so much memory (0 = not constrained).
func OneRack(t testing.TB, jobs []sim.Job, machines, gpus int, gpuMiB int64) (*sim.Workload, *cluster.Topology) {
	t.Helper()
	spec := cluster.Uniform(1, machines, gpus, 1)
	spec.Racks[0][0].GPUMiB = gpuMiB
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("by hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return w, top
}
