package queueing_test

import (
	"context"
	"fmt"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// The short job preempts the long one, which then continues where it was.
func ExampleNewSRTF() {
	top, _ := cluster.New(cluster.Uniform(1, 1, 2, 1))
	w, _ := sim.NewWorkload("two jobs", []sim.Job{
		{ID: "long", GPUs: 2, Work: 20 * sim.Second}, // 10 s on both GPUs
		{ID: "short", GPUs: 1, Work: 2 * sim.Second, Submit: 3 * sim.Second},
	})
	p, err := queueing.NewSRTF(param.Parse("policy srtf", ""), cluster.BestFit)
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}}, p)
	fmt.Println(e.Record(0).End, e.Record(0).Preemptions, e.Record(1).End, err)
	// Output: 12s 1 5s <nil>
}
