package sim

import (
	"context"
	"math/rand/v2"
	"slices"
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
			if g, ok := v.Free().At(buf, v.Job(ev.Job).GPUs(), cluster.LevelCluster, cluster.BestFit); ok {
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

// A policy may hand the allocation of a job that it preempts to others, by the slice that View
// gave.
func TestHeldSlicesSurviveTheInstant(t *testing.T) {
	w := jobs(t, Job{GPUs: 2, Work: 20 * Second}, Job{GPUs: 2, Work: 20 * Second},
		Job{GPUs: 2, Work: 4 * Second, Submit: Second}, Job{GPUs: 2, Work: 4 * Second, Submit: Second})
	p := script{f: func(v *View, out []Decision) []Decision {
		switch v.Now() {
		case 0:
			return append(out, Decision{Kind: Start, Job: 0, GPUs: []cluster.GPU{0, 1}},
				Decision{Kind: Start, Job: 1, GPUs: []cluster.GPU{2, 3}})
		case Second: // each takes the other pair, so memory reused too early would be overwritten
			return append(out, Decision{Kind: Preempt, Job: 0}, Decision{Kind: Preempt, Job: 1},
				Decision{Kind: Start, Job: 2, GPUs: v.Run(1).Held()}, Decision{Kind: Start, Job: 3, GPUs: v.Run(0).Held()})
		}
		return out
	}}
	var tp tape
	if _, err := Run(context.Background(), Config{Workload: w, Topology: topology(t, 1, 2, 2, 1), Speed: counting{},
		Check: true}, p, &tp); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"job 2 on [2 3] 1s-3s run 2s finish", "job 3 on [0 1] 1s-3s run 2s finish"} {
		if !slices.Contains(tp.lines, want) {
			t.Errorf("no %q in %v", want, tp.lines)
		}
	}
}
