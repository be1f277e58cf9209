package colocate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
	"tarry/sim/simtest"
)

// viewOf gives the view of a cluster at its first instant, some GPUs in use by job 0.
func viewOf(t *testing.T, spec cluster.Spec, used []cluster.GPU) *sim.View {
	t.Helper()
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	n := int32(max(1, len(used)))
	w, err := sim.NewWorkload("view", []sim.Job{{ID: "0", GPUs: n, Work: sim.Time(n) * 9 * sim.Second},
		{ID: "1", Submit: sim.Second, GPUs: 1, Work: sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}})
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := e.Next()
	if err != nil || len(used) == 0 {
		return v
	}
	if err := e.Apply([]sim.Decision{{Kind: sim.Start, Job: 0, GPUs: used,
		Knobs: sim.Knobs{ShareMilli: 500}}}); err != nil {
		t.Fatal(err)
	}
	if v, _, err = e.Next(); err != nil {
		t.Fatal(err)
	}
	return v
}

// subsets calls f with every choice of k of the GPUs.
func subsets(gpus []cluster.GPU, k int, got []cluster.GPU, f func([]cluster.GPU)) {
	if k == 0 {
		f(got)
		return
	}
	for i := range gpus {
		subsets(gpus[i+1:], k-1, append(got, gpus[i]), f)
	}
}

// Pick is at the finest level that has enough, and no other choice at that level costs less: by a
// look at all choices.
func TestPickIsTheCheapest(t *testing.T) {
	found := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		spec := cluster.Uniform(1+r.IntN(2), 1+r.IntN(3), 1+r.IntN(4), 1)
		total := len(spec.Racks) * spec.Racks[0][0].Count * spec.Racks[0][0].GPUs
		var used []cluster.GPU
		for g := range total {
			if r.IntN(3) == 0 {
				used = append(used, cluster.GPU(g))
			}
		}
		v := viewOf(t, spec, used)
		b := NewBoard(cluster.BestFit)
		b.Begin(v)
		cost, closed := make([]float64, total), make([]bool, total)
		var open []cluster.GPU
		for g := range total {
			cost[g], closed[g] = float64(r.IntN(5)), r.IntN(4) == 0
			if !closed[g] {
				open = append(open, cluster.GPU(g))
			}
		}
		d := &plan.Demand{GPUs: int32(1 + r.IntN(4)), ShareMilli: 1000}
		got, ok := b.Pick(v, d, "", func(g cluster.GPU) (float64, float64, bool) { return cost[g], 0, !closed[g] })
		sum := func(of []cluster.GPU) (c float64) {
			for _, g := range of {
				c += cost[g]
			}
			return c
		}
		level, best, any := cluster.LevelCluster+1, 0.0, false
		subsets(open, int(d.GPUs), nil, func(of []cluster.GPU) {
			l := max(v.Topology().LevelOf(of), cluster.LevelMachine)
			if l == cluster.LevelCluster && v.Topology().Racks() == 1 {
				l = cluster.LevelRack
			}
			if c := sum(of); !any || l < level || l == level && c < best {
				level, best, any = l, c, true
			}
		})
		if ok != any {
			t.Fatalf("seed %d: found %v, expected %v", seed, ok, any)
		}
		if !ok {
			continue
		}
		found++
		if l := max(v.Topology().LevelOf(got), cluster.LevelMachine); l != level || sum(got) != best ||
			len(got) != int(d.GPUs) || !slices.IsSorted(got) {
			t.Fatalf("seed %d: %v costs %v at level %v, the best %v at %v", seed, got, sum(got), l, best, level)
		}
	}
	if found < 200 {
		t.Errorf("only %d cases had a choice", found)
	}
}

// A GPU is given to one job of a decision; idle ones are unused, at the finest
// level.
func TestOneJobPerDecision(t *testing.T) {
	v := viewOf(t, cluster.Uniform(1, 2, 2, 1), []cluster.GPU{0})
	b := NewBoard(cluster.BestFit)
	b.Begin(v)
	d := &plan.Demand{GPUs: 2, ShareMilli: 1000}
	gpus, ok := b.Idle(v, d, "", nil)
	if !ok || fmt.Sprint(gpus) != "[2 3]" {
		t.Fatalf("idle GPUs %v", gpus)
	}
	b.Start(v, 1, d, gpus, sim.Knobs{})
	if b.Open(v, 2) || !b.Open(v, 0) || !b.Open(v, 1) || b.Given(1) || !b.Again() {
		t.Error("what was given out is not closed, or something else is")
	}
	if got, ok := b.Idle(v, d, "", nil); ok {
		t.Errorf("%v are given twice", got)
	}
	if got, ok := b.Idle(v, &plan.Demand{GPUs: 1, ShareMilli: 1000}, "",
		func(g cluster.GPU) bool { return g != 1 }); ok {
		t.Errorf("%v is not usable", got)
	}
	b.Begin(v)
	if !b.Open(v, 2) {
		t.Error("the next decision finds GPUs closed")
	}
}

// n jobs hold 1000/n each; who joins is counted, and the cuts come before the start.
func TestTickets(t *testing.T) {
	v := viewOf(t, cluster.Uniform(1, 1, 2, 1), []cluster.GPU{0, 1})
	b := NewBoard(cluster.BestFit)
	b.Begin(v)
	b.Start(v, 1, &plan.Demand{GPUs: 1, ShareMilli: 1000}, []cluster.GPU{0}, sim.Knobs{})
	if a, c := b.Ticket(v, 0, []cluster.GPU{0, 1}), b.Ticket(v, 1, []cluster.GPU{0}); a != 500 || c != 500 {
		t.Errorf("tickets %d and %d, expected 500", a, c)
	}
	out := b.Write(v, nil)
	if len(out) != 1 || out[0].Kind != sim.Start || out[0].ShareMilli != 500 { // job 0 has 500 already
		t.Errorf("decisions %+v", out)
	}
}
