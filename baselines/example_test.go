package baselines_test

import (
	"context"
	"fmt"

	"tarry/catalogue/schedulers"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// A policy by name, with settings, on two jobs that want the same two GPUs.
func ExampleCatalogue_Parse() {
	entry, build, err := schedulers.All().Parse("tiresias:queues=10", cluster.BestFit)
	if err != nil {
		fmt.Println(err)
		return
	}
	jobs := []sim.Job{{ID: "long", GPUs: 2, Work: 40 * sim.Second},
		{ID: "short", GPUs: 2, Work: 8 * sim.Second, Submit: sim.Second}}
	w, _ := sim.NewWorkload("two jobs", jobs)
	top, _ := cluster.New(cluster.Uniform(1, 1, 2, 1))
	policy, _ := build()
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}}, policy)
	fmt.Println(entry.Name, e.Record(0).End, e.Record(1).End, err)
	// Output: tiresias 24s 9s <nil>
}
