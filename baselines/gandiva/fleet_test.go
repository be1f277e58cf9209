package gandiva

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/rng"
)

// A ring is a list: pushed at the end, taken anywhere near the front, at the price of the place
// alone.
func TestRingIsAList(t *testing.T) {
	r := rng.Source{Seed: 1}.Stream("ring").Rand
	var got ring
	var want []sim.JobID
	longest := 0
	for step := range 20000 {
		if r.IntN(100) < 49+step%3 || len(want) == 0 { // grows, shrinks and is empty again
			j := sim.JobID(step)
			got.push(j)
			want = append(want, j)
		} else {
			i := r.IntN(min(len(want), reach))
			got.take(i)
			want = slices.Delete(want, i, i+1)
		}
		longest = max(longest, len(got.jobs))
		if got.len() != len(want) {
			t.Fatalf("step %d: %d jobs, expected %d", step, got.len(), len(want))
		}
		for i, j := range want {
			if got.at(i) != j {
				t.Fatalf("step %d: place %d holds job %d, expected %d", step, i, got.at(i), j)
			}
		}
	}
	if longest > 2000 { // what is taken does not stay
		t.Errorf("the ring grew to %d places for at most some hundred jobs", longest)
	}
}

// booked is a fleet beside a plain list of what is homed where.
type booked struct {
	f     *fleet
	homes [][]int32 // demands on each server
	waits [][]sim.JobID
}

func newBooked(t *testing.T, spec cluster.Spec) *booked {
	t.Helper()
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return &booked{newFleet(top), make([][]int32, top.Machines()), make([][]sim.JobID, top.Machines())}
}

// step books, takes off, suspends or resumes on a random server.
func (b *booked) step(r *rand.Rand, n int) {
	m := int32(r.IntN(len(b.homes)))
	s := &b.f.servers[m]
	switch r.IntN(4) {
	case 0:
		g := int32(1 + r.IntN(5))
		if s.load == 0 {
			b.f.assign(m, g)
		}
		b.f.add(m, g)
		b.homes[m] = append(b.homes[m], g)
	case 1:
		if k := len(b.homes[m]); k > 0 {
			i := r.IntN(k)
			b.f.add(m, -b.homes[m][i])
			b.homes[m] = slices.Delete(b.homes[m], i, i+1)
		}
	case 2:
		b.f.suspend(m, sim.JobID(n))
		b.waits[m] = append(b.waits[m], sim.JobID(n))
	default:
		if len(b.waits[m]) > 0 {
			s.suspended.take(0)
			b.f.rank(m)
			b.waits[m] = b.waits[m][1:]
		}
	}
}

// check compares every index with a look at all servers.
func (b *booked) check(t *testing.T, n int) {
	t.Helper()
	crowded := int32(-1)
	for m := range b.f.servers {
		s := &b.f.servers[m]
		load := int32(0)
		for _, g := range b.homes[m] {
			load += g
		}
		if s.load != load || s.slack() != s.up-load {
			t.Fatalf("step %d: server %d has load %d and slack %d, expected %d and %d", n, m, s.load, s.slack(), load,
				s.up-load)
		}
		if g := b.f.groups[s.group]; g.size != s.size || load == 0 && g.affinity != 0 || load > 0 && g.affinity == 0 {
			t.Fatalf("step %d: server %d of load %d and size %d is in group %+v", n, m, load, s.size, g)
		}
		if len(b.waits[m]) > 0 && (crowded < 0 || s.slack() < b.f.servers[crowded].slack()) {
			crowded = int32(m)
		}
	}
	if got := top(&b.f.crowded); got != crowded {
		t.Fatalf("step %d: server %d is the most crowded, expected %d", n, got, crowded)
	}
	for i := range b.f.groups {
		best, count := int32(-1), 0
		for m := range b.f.servers {
			if b.f.servers[m].group == int32(i) {
				count++
				if best < 0 || b.f.servers[m].slack() > b.f.servers[best].slack() {
					best = int32(m)
				}
			}
		}
		if g := &b.f.groups[i]; top(&g.heap) != best || g.heap.Len() != count {
			t.Fatalf("step %d: group %d has %d servers with %d first, expected %d and %d", n, i, g.heap.Len(),
				top(&g.heap), count, best)
		}
	}
}

// The indices of the fleet find what a look at all servers finds: of each group the server with
// most slack, the lowest of equals; of servers with suspended jobs the one with least; an empty
// server has no affinity, others have their first job's.
func TestFleetIsAList(t *testing.T) {
	for _, spec := range []cluster.Spec{cluster.Uniform(2, 4, 4, 1), cluster.Uniform(1, 3, 8, 1)} {
		b := newBooked(t, spec)
		r := rng.Source{Seed: 2}.Stream("fleet").Rand
		for n := range 5000 {
			b.step(r, n)
			b.check(t, n)
		}
	}
}

// A copy of the fleet shares nothing that changes with the original.
func TestFleetCloneIsApart(t *testing.T) {
	b := newBooked(t, cluster.Uniform(2, 4, 4, 1))
	r := rng.Source{Seed: 3}.Stream("clone").Rand
	for n := range 300 {
		b.step(r, n)
	}
	kept := &booked{b.f.clone(), make([][]int32, len(b.homes)), make([][]sim.JobID, len(b.waits))}
	for m := range b.homes {
		kept.homes[m], kept.waits[m] = slices.Clone(b.homes[m]), slices.Clone(b.waits[m])
	}
	for n := range 300 {
		b.step(r, n)
	}
	kept.check(t, 300)
	for n := range 300 {
		kept.step(r, n)
		kept.check(t, n)
	}
	b.check(t, 600)
}

// Running jobs stay in the order of their grants, whichever of them stops; one that does not run
// there is none of them.
func TestRunningInOrderOfGrants(t *testing.T) {
	b := newBooked(t, cluster.Uniform(1, 2, 8, 1))
	for _, j := range []sim.JobID{7, 3, 9, 4} {
		b.f.start(1, j)
	}
	b.f.stop(1, 3)
	b.f.stop(1, 8)
	b.f.stop(0, 9)
	if got := b.f.servers[1].running; !slices.Equal(got, []sim.JobID{7, 9, 4}) {
		t.Errorf("running are %v, expected [7 9 4]", got)
	}
	b.f.stop(1, 7)
	b.f.start(1, 3)
	if got := b.f.servers[1].running; !slices.Equal(got, []sim.JobID{9, 4, 3}) {
		t.Errorf("running are %v, expected [9 4 3]", got)
	}
}
