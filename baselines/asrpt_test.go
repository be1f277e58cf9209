package baselines_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/catalogue/schedulers"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// On one GPU the virtual machine of a-srpt is srtf in the kernel, whose mean is compared with
// Schrage's formula for M/M/1: 200 busy systems with exponential gaps and work. Jobs start in the
// order of srtf's ends, none before its own, and end at most twice as late.
func TestASRPTFollowsSRTF(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 1, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2501))
		var jobs []sim.Job
		at := sim.Time(0)
		for i := range 120 {
			at += sim.Time(1e6 * r.ExpFloat64())
			jobs = append(jobs, sim.Job{ID: fmt.Sprintf("%03d", i), Submit: at, GPUs: 1, Work: 1 +
				sim.Time(0.9e6*r.ExpFloat64())})
		}
		w, err := sim.NewWorkload("M/M/1", jobs)
		if err != nil {
			t.Fatal(err)
		}
		records := func(spec string) (out []sim.Record) {
			_, build, err := schedulers.All().Parse(spec, cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			p, err := build()
			if err != nil {
				t.Fatal(err)
			}
			e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}},
				p)
			if err != nil {
				t.Fatal(err)
			}
			for i := range jobs {
				out = append(out, e.Record(sim.JobID(i)))
			}
			return out
		}
		virtual, real := records("srtf"), records("a-srpt:early=false")
		order := make([]int, len(jobs))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(virtual[a].End, virtual[b].End) })
		free := sim.Time(0)
		for _, i := range order {
			if want := max(free, virtual[i].End); real[i].Start != want || real[i].End > 2*virtual[i].End {
				t.Fatalf("seed %d: job %d runs from %v to %v, expected from %v; srtf ends it at %v", seed, i,
					real[i].Start, real[i].End, want, virtual[i].End)
			}
			free = real[i].End
		}
	}
}
