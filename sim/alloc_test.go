package sim

import (
	"math/rand/v2"
	"testing"

	"tarry/sim/cluster"
)

// Once a run is warm, instants allocate nothing: jobs that ended leave their memory to later ones.
func TestNoAllocationOnceWarm(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	js := make([]Job, 20000)
	for i := range js {
		js[i] = Job{GPUs: int32(1 + r.IntN(8)), Work: Time(1 + r.IntN(40e6)), Submit: Time(i) * Second}
	}
	buf := make([]cluster.GPU, 0, 1024)
	p := script{f: func(v *View, out []Decision) []Decision {
		for _, ev := range v.Events() {
			if ev.Kind != Arrive {
				continue
			}
			if g, ok := v.Free().At(buf, v.GPUs(ev.Job), cluster.LevelCluster, cluster.BestFit); ok {
				out = append(out, Decision{Kind: Start, Job: ev.Job, GPUs: g})
			}
		}
		return out
	}}
	e, err := New(Config{Workload: jobs(t, js...), Topology: topology(t, 4, 8, 8, 2), Speed: counting{}})
	if err != nil {
		t.Fatal(err)
	}
	var out []Decision
	step := func() {
		v, ok, err := e.Next()
		if !ok || err != nil {
			t.Fatalf("ended early: %v", err)
		}
		out = p.Decide(v, out[:0])
		if err := e.Apply(out); err != nil {
			t.Fatal(err)
		}
	}
	for range 10000 {
		step()
	}
	if n := testing.AllocsPerRun(20000, step); n != 0 {
		t.Errorf("%v allocations per instant, want none", n)
	}
}
