package horus

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// plain chooses GPUs as the page of Horus has it, over a list of costs by machine: +Inf = not for
// this job.
func plain(costs [][]float64, racks []int, n int) []cluster.GPU {
	type gpu struct {
		machine, index int
		cost           float64
	}
	least := func(m int) float64 { return slices.Min(costs[m]) }
	var nodes []int
	total := 0
	for m := range costs {
		for _, c := range costs[m] {
			if !math.IsInf(c, 1) {
				total++
			}
		}
		if !math.IsInf(least(m), 1) {
			nodes = append(nodes, m)
		}
	}
	if total < n {
		return nil
	}
	slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Compare(least(a), least(b)) })
	var best []cluster.GPU
	fewest := math.MaxInt
	for _, seed := range nodes[:min(n, len(nodes))] {
		order := slices.Clone(nodes)
		slices.SortStableFunc(order, func(a, b int) int {
			away := func(m int) int {
				d := racks[m] - racks[seed]
				return max(d, -d)
			}
			return cmp.Or(cmp.Compare(away(a), away(b)), 0)
		})
		order = slices.DeleteFunc(order, func(m int) bool { return m == seed })
		var got []cluster.GPU
		used := 0
		for _, m := range append([]int{seed}, order...) {
			var gs []gpu
			for i, c := range costs[m] {
				if !math.IsInf(c, 1) {
					gs = append(gs, gpu{m, i, c})
				}
			}
			slices.SortStableFunc(gs, func(a, b gpu) int { return cmp.Compare(a.cost, b.cost) })
			used++
			for _, g := range gs[:min(len(gs), n-len(got))] {
				got = append(got, cluster.GPU(g.machine*len(costs[m])+g.index))
			}
			if len(got) == n {
				break
			}
		}
		if used < fewest {
			fewest, best = used, got
		}
	}
	slices.Sort(best)
	return best
}

// On drawn states of three racks of three machines the policy finds the GPUs that the plain search
// finds.
func TestFind(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 22))
	several, none := 0, 0
	for range 3000 {
		n := 1 + r.IntN(9)
		w, err := sim.NewWorkload("one", []sim.Job{{ID: "a", GPUs: int32(n), Work: sim.Second}})
		if err != nil {
			t.Fatal(err)
		}
		top, err := cluster.New(cluster.Uniform(3, 3, 3, 1))
		if err != nil {
			t.Fatal(err)
		}
		e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}})
		if err != nil {
			t.Fatal(err)
		}
		p := policy(t, "most=2")().(*Policy)
		e.Permit(p.Knows())
		v, _, err := e.Next()
		if err != nil {
			t.Fatal(err)
		}
		p.guesses = []guess{{mib: 1, use: 1}}
		p.follow(v)
		p.place.Begin(v)
		p.look(v)
		for g := range p.gpus.jobs {
			p.gpus.jobs[g] = int32(r.IntN(4)) // two and three are too many
			p.gpus.busy[g] = float64(r.IntN(4)) / 4
		}
		found := p.find(v, 0)
		costs, racks := make([][]float64, 9), make([]int, 9)
		for m := range costs {
			costs[m], racks[m] = p.gpus.cost[3*m:3*m+3], m/3
		}
		want := plain(costs, racks, n)
		switch {
		case found != (want != nil):
			t.Fatalf("%d GPUs of %v: found %v, the plain search %v", n, costs, found, want)
		case !found:
			none++
		case fmt.Sprint(p.plans.best) != fmt.Sprint(want):
			t.Fatalf("%d GPUs of %v: %v, the plain search has %v", n, costs, p.plans.best, want)
		case n > 3:
			several++
		}
	}
	if several < 500 || none < 20 {
		t.Errorf("%d on several machines, %d without: the cases are too easy", several, none)
	}
}
