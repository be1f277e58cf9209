package queueing_test

import (
	"context"
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// BenchmarkGrowth shows the cost of an event from 10^3 to 10^6 jobs that all wait at the start,
// on clusters that grow with them: with an index it rises with the logarithm only.
func BenchmarkGrowth(b *testing.B) {
	for _, name := range []string{"fifo", "fit-first", "sjf", "easy", "srtf", "las"} {
		for _, n := range []int{1e3, 1e4, 1e5, 1e6} {
			if testing.Short() && n > 1e4 {
				continue
			}
			racks := max(1, n/1e4) // 64 GPUs each; policies that walk the running jobs keep one rack
			if name == "srtf" || name == "las" {
				racks = 1
			}
			b.Run(fmt.Sprintf("%s/jobs=%d/gpus=%d", name, n, racks*64), func(b *testing.B) {
				w, top := batch(b, n), topology(b, racks, 8, 8)
				b.ReportAllocs()
				events := int64(0)
				for b.Loop() {
					events += run(b, w, top, policy(b, name, "")).Events()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
			})
		}
	}
}

// BenchmarkPhilly replays the published Philly jobs on 512 GPUs; skipped without the trace.
func BenchmarkPhilly(b *testing.B) {
	w := philly(b)
	top := topology(b, 8, 8, 8)
	for _, name := range []string{"fifo", "fit-first", "sjf", "srtf", "srsf", "las", "easy", "conservative"} {
		if testing.Short() && name == "conservative" {
			continue // it holds a reservation for every waiting job
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			events := int64(0)
			for b.Loop() {
				events += run(b, w, top, policy(b, name, "")).Events()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
		})
	}
}

func run(b testing.TB, w *sim.Workload, top *cluster.Topology, p sim.Policy) *sim.Engine {
	b.Helper()
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}}, p)
	if err != nil {
		b.Fatal(err)
	}
	return e
}

// batch is n jobs of 1, 2, 4 or 8 GPUs, submitted within a second.
func batch(b *testing.B, n int) *sim.Workload {
	b.Helper()
	r := rng.Source{Seed: 1, Experiment: "growth"}.Stream("jobs")
	js := make([]sim.Job, n)
	for i := range js {
		g := int32(1) << r.IntN(4)
		js[i] = sim.Job{ID: fmt.Sprint(i), GPUs: g, Submit: sim.Time(i) * sim.Second / sim.Time(n), Work: sim.Time(g) *
			(sim.Second + sim.Time(r.Int64N(int64(3600*sim.Second))))}
	}
	w, err := sim.NewWorkload("batch", js)
	if err != nil {
		b.Fatal(err)
	}
	return w
}
