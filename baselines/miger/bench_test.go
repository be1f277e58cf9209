package miger

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/sim"
)

// BenchmarkInstances is 5 000 small jobs on 64 GPUs that are cut.
func BenchmarkInstances(b *testing.B) {
	top := machines(b, 64, 0)
	r := rand.New(rand.NewPCG(1, 1))
	var js []sim.Job
	at := 0.0
	for i := range 5000 {
		at += r.ExpFloat64() * 11
		u := []float64{.15, .3, .45, .6, .9}[r.IntN(5)]
		js = append(js, sim.Job{ID: fmt.Sprint(i), GPUs: 1, Submit: sim.Seconds(at),
			Work: sim.Seconds(60 + 1200*r.ExpFloat64()), GPUUtilFrac: u,
			GPUMiB: []int32{2000, 4500, 9000, 15000, 30000}[r.IntN(5)]})
	}
	w, err := sim.NewWorkload("many", js)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: instances{top}},
			policy(b, "")()); err != nil {
			b.Fatal(err)
		}
	}
}
