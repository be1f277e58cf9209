package sia

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/baselines/sia/ilp"
	"tarry/sim/cluster"
)

// mixedCluster has three types as in the authors' simulator: 6 machines of 4 GPUs, 2 and 3 of 8.
func mixedCluster(t testing.TB) *cluster.Topology {
	t.Helper()
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 6, GPUs: 4, Type: "aws"},
		{Count: 2, GPUs: 8, Type: "dgx"}, {Count: 3, GPUs: 8, Type: "rtx"}}}})
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// bare opens a placer on an empty cluster.
func bare(top *cluster.Topology, lay *layout) *placer {
	p := &placer{lay: lay, nodes: make([]node, top.Machines()), owner: make([]int32, top.GPUs())}
	for m := range p.nodes {
		n := &p.nodes[m]
		n.lo, n.hi = top.MachineGPUs(m)
		n.free = int(n.hi - n.lo)
	}
	for g := range p.owner {
		p.owner[g] = noOwner
	}
	return p
}

// held is what a job of a round has, by job.
type held map[int]*placing

// round places jobs, each with a configuration, jobs with the same as before staying; it returns
// what each has.
func (h held) round(top *cluster.Topology, lay *layout, picks map[int]int) (*placer, held) {
	p := bare(top, lay)
	for j := range 100 {
		c, ok := picks[j]
		if !ok {
			continue
		}
		f := &lay.configs[c]
		x := placing{m: &member{pick: c}, typ: f.Type, n: f.GPUs, want: f}
		if old := h[j]; old != nil {
			x.held = append([]cluster.GPU(nil), old.gpus...)
			x.keep = old.want == f
		}
		p.list = append(p.list, x)
	}
	p.run()
	out, i := held{}, 0
	for j := range 100 {
		if _, ok := picks[j]; ok {
			out[j] = &p.list[i]
			i++
		}
	}
	return p, out
}

// TestEveryChoiceIsPlaced: whatever configurations fit by numbers are placed, each on as many
// machines as it states, and no GPU is given twice; jobs of whole machines that stay are never
// moved.
func TestEveryChoiceIsPlaced(t *testing.T) {
	top := mixedCluster(t)
	lay := newLayout(top, 0)
	moved, evicted := 0, 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 31))
		now, picks := held{}, map[int]int{}
		for round := range 20 {
			left := []int{24, 16, 24}
			for j, c := range picks { // some end, some change
				if r.IntN(4) == 0 {
					delete(picks, j)
				} else {
					left[lay.configs[c].Type] -= lay.configs[c].GPUs
				}
			}
			before := map[int]int{}
			for j, c := range picks {
				before[j] = c
			}
			for range 30 {
				j, c := r.IntN(40), r.IntN(len(lay.configs))
				f := &lay.configs[c]
				if old, ok := picks[j]; ok {
					left[lay.configs[old].Type] += lay.configs[old].GPUs
					delete(picks, j)
				}
				if left[f.Type] >= f.GPUs {
					picks[j] = c
					left[f.Type] -= f.GPUs
				}
			}
			_, next := now.round(top, &lay, picks)
			seen := map[cluster.GPU]int{}
			for j, x := range next {
				f := x.want
				if len(x.gpus) != f.GPUs || nodes(top, x.gpus) != f.Nodes ||
					int(lay.of[top.Machine(x.gpus[0])]) != f.Type {
					t.Fatalf("seed %d, round %d: job %d is to have %+v and has %v", seed, round, j, *f, x.gpus)
				}
				for _, g := range x.gpus {
					if o, twice := seen[g]; twice {
						t.Fatalf("seed %d, round %d: jobs %d and %d have GPU %d", seed, round, o, j, g)
					}
					seen[g] = j
				}
				if old := now[j]; old != nil && old.want == f && fmt.Sprint(old.gpus) != fmt.Sprint(x.gpus) {
					if moved++; f.GPUs >= lay.types[f.Type].per {
						t.Fatalf("seed %d, round %d: job %d of whole machines is moved", seed, round, j)
					}
				}
			}
			now, evicted = next, evicted+len(before)
		}
	}
	t.Logf("%d of %d jobs that could have stayed were moved", moved, evicted)
	if moved == 0 || moved > evicted/4 {
		t.Errorf("%d of %d moved", moved, evicted)
	}
}

// TestPlaceByHand: best fit from the low end, whole machines from the high end, and who is evicted.
func TestPlaceByHand(t *testing.T) {
	top := mixedCluster(t)
	lay := newLayout(top, 0)
	c := func(typ, gpus int) int { return lay.find(typ, gpus) }
	_, one := held{}.round(top, &lay, map[int]int{0: c(0, 2), 1: c(0, 1), 2: c(0, 8), 3: c(1, 4), 4: c(1, 8)})
	for j, want := range map[int]string{0: "[0 1]", 1: "[2]", 2: "[16 17 18 19 20 21 22 23]", 3: "[24 25 26 27]",
		4: "[32 33 34 35 36 37 38 39]"} {
		if got := fmt.Sprint(one[j].gpus); got != want {
			t.Errorf("job %d has %s, expected %s", j, got, want)
		}
	}
	// Job 5 needs all of a dgx machine: job 3 leaves the one on which it is alone, and goes where
	// job 4 was, which ends.
	_, two := one.round(top, &lay, map[int]int{0: c(0, 2), 1: c(0, 1), 3: c(1, 4), 5: c(1, 8), 6: c(0, 20)})
	for j, want := range map[int]string{0: "[0 1]", 1: "[2]", 3: "[24 25 26 27]", 5: "[32 33 34 35 36 37 38 39]",
		6: "[4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23]"} {
		if got := fmt.Sprint(two[j].gpus); got != want {
			t.Errorf("then job %d has %s, expected %s", j, got, want)
		}
	}
	// Jobs 7 and 8 have a GPU each of two machines; job 9 needs a whole one of the two: the one on
	// the higher machine goes to the other.
	apart := held{7: {m: &member{}, gpus: []cluster.GPU{24}, want: &lay.configs[c(1, 1)]},
		8: {m: &member{}, gpus: []cluster.GPU{32}, want: &lay.configs[c(1, 1)]}}
	_, three := apart.round(top, &lay, map[int]int{7: c(1, 1), 8: c(1, 1), 9: c(1, 8)})
	for j, want := range map[int]string{7: "[24]", 8: "[25]", 9: "[32 33 34 35 36 37 38 39]"} {
		if got := fmt.Sprint(three[j].gpus); got != want {
			t.Errorf("at last job %d has %s, expected %s", j, got, want)
		}
	}
}

// TestNeeded: numbers that are no configuration, and numbers that no type has.
func TestNeeded(t *testing.T) {
	lay := newLayout(mixedCluster(t), 64)
	n := len(lay.configs)
	lay.need(1, 3)
	lay.need(1, 3)
	lay.need(ilp.Mixed, 40)
	if len(lay.configs) != n+2 || fmt.Sprint(lay.configs[n]) != "{1 1 3 []}" ||
		fmt.Sprint(lay.configs[n+1]) != "{-1 8 40 [24 0 16]}" {
		t.Errorf("%v", lay.configs[n:])
	}
}
