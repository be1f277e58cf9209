package plan

import (
	"testing"

	"tarry/sim"
	"tarry/sim/rng"
)

// A heap is its twin: a table of keys that is searched for the smallest each time.
func TestHeapIsATable(t *testing.T) {
	draws := rng.Source{Seed: 1}.Stream("heap")
	const n = 23
	pos := make([]int32, n)
	heaps := []Heap[sim.Time, sim.JobID]{NewHeap[sim.Time, sim.JobID](pos), NewHeap[sim.Time, sim.JobID](pos)}
	tables := []map[sim.JobID]sim.Time{{}, {}} // the two share pos: no thing is in both
	for range 20_000 {
		k, id, key := draws.IntN(2), sim.JobID(draws.IntN(n)), sim.Time(draws.IntN(9))
		_, elsewhere := tables[1-k][id]
		switch {
		case elsewhere:
			continue
		case draws.IntN(3) == 0:
			heaps[k].Drop(id)
			delete(tables[k], id)
		default:
			heaps[k].Set(id, key)
			tables[k][id] = key
		}
		for i := range heaps {
			first, least, found := sim.NoJob, sim.Never, false
			for j, at := range tables[i] {
				if !found || at < least || at == least && j < first {
					first, least, found = j, at, true
				}
			}
			j, at, ok := heaps[i].First()
			if ok != found || ok && (j != first || at != least) {
				t.Fatalf("first is %d at %d (%v), expected %d at %d (%v)", j, at, ok, first, least, found)
			}
		}
	}
}

// A copy goes its own way.
func TestHeapClone(t *testing.T) {
	h := NewHeap[int32, int32](make([]int32, 4))
	for i := range int32(4) {
		h.Set(i, 3-i)
	}
	c := h.Clone(nil)
	c.Drop(3)
	c.Set(2, 9)
	if id, key, ok := h.First(); id != 3 || key != 0 || !ok {
		t.Errorf("the original's first is %d, %d, %v", id, key, ok)
	}
	if id, key, ok := c.First(); id != 1 || key != 2 || !ok {
		t.Errorf("the copy's first is %d, %d, %v", id, key, ok)
	}
}

func TestHeapAllocatesNothing(t *testing.T) {
	h := NewHeap[sim.Time, sim.JobID](make([]int32, 64))
	for i := range sim.JobID(64) {
		h.Set(i, sim.Time(i))
	}
	at := sim.Time(100)
	if n := testing.AllocsPerRun(100, func() {
		at++
		h.Drop(sim.JobID(at % 64))
		h.Set(sim.JobID(at%64), at)
	}); n != 0 {
		t.Errorf("%v allocations, expected none", n)
	}
}
