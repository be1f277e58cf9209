package hived

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
	"tarry/sim/tenant"
)

// BenchmarkDecide is a congested cluster of machines of 8 GPUs in racks of 8, owned by 11 virtual
// clusters (as in the paper), with one job in five opportunistic: time and memory for each job, all
// events of it included.
func BenchmarkDecide(b *testing.B) {
	for _, racks := range []int{4, 32} {
		for _, text := range []string{"", "inside=las"} {
			b.Run(fmt.Sprintf("gpus=%d/%s", racks*64, text), func(b *testing.B) { benchmark(b, racks, text) })
		}
	}
}

func benchmark(b *testing.B, racks int, text string) {
	r := rand.New(rand.NewPCG(1, 2))
	const jobs, vcs = 3000, 11
	top, err := cluster.New(cluster.Uniform(racks, 8, 8, 2))
	if err != nil {
		b.Fatal(err)
	}
	var rows []tenant.Tenant
	for i := range vcs {
		rows = append(rows, tenant.Tenant{VC: fmt.Sprint(i), GPUs: racks * 64 / vcs})
	}
	set, err := tenant.New(rows)
	if err != nil {
		b.Fatal(err)
	}
	js := make([]sim.Job, jobs)
	for i := range js {
		g := []int32{1, 1, 1, 2, 4, 8, 8, 16, 24}[r.IntN(9)]
		js[i] = sim.Job{ID: fmt.Sprint(i), GPUs: g, VC: fmt.Sprint(r.IntN(vcs)),
			Submit: sim.Time(float64(i) * r.Float64() * float64(sim.Second) * 256 / float64(racks*64)),
			Work:   sim.Time(g) * sim.Time(60+r.IntN(200)) * sim.Second / 4}
		if r.IntN(5) == 0 {
			js[i].Priority = -1
		}
	}
	w, err := sim.NewWorkload("bench", js)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
			Tenants: set}, policy(b, text)()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/jobs, "ns/job")
}
