package backfill

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
)

// The list gives what a sorted slice gives, whatever is added, dropped and extended; so does a copy
// into a list that was in use.
func TestEndsAreASortedSlice(t *testing.T) {
	most := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 0xe2d5))
		var list, reused Ends
		var want []Ending
		now, next := sim.Time(0), sim.JobID(0)
		for range 3000 {
			switch k := r.IntN(10); {
			case k < 4+int(seed%3) || len(want) == 0:
				x := Ending{now + 1 + sim.Time(r.IntN(400)), next, now}
				list.Add(x.Job, x.Start, x.At)
				want = append(want, x)
				next += sim.JobID(1 + r.IntN(2))
			case k < 9:
				i := r.IntN(len(want))
				if x, ok := list.Drop(want[i].Job); !ok || x != want[i] {
					t.Fatalf("seed %d: dropped %v %v, want %v", seed, x, ok, want[i])
				}
				if _, ok := list.Drop(want[i].Job); ok {
					t.Fatalf("seed %d: job %d dropped twice", seed, want[i].Job)
				}
				want = slices.Delete(want, i, i+1)
			default:
				now += sim.Time(r.IntN(5))
				moved := false
				for i := range want {
					if x := &want[i]; x.At <= now {
						d := x.At - x.Start
						for x.Start+d <= now {
							d *= 2
						}
						x.At, moved = x.Start+d, true
					}
				}
				if got := list.Extend(now); got != moved {
					t.Fatalf("seed %d: extended %v, want %v", seed, got, moved)
				}
			}
			most = max(most, len(list.chunks))
		}
		slices.SortFunc(want, compareEnds)
		reused.Add(7, 0, 9)
		reused.CopyFrom(&list)
		for _, l := range []*Ends{&list, &reused} {
			if got := slices.Collect(l.All()); !slices.Equal(got, want) {
				t.Fatalf("seed %d: %v, want %v", seed, got, want)
			}
		}
		for _, x := range want {
			reused.Drop(x.Job)
		}
		if got := slices.Collect(list.All()); !slices.Equal(got, want) || len(reused.chunks) > 0 {
			t.Fatalf("seed %d: a copy is not independent, or keeps %v", seed, reused.chunks)
		}
	}
	if most < 4 {
		t.Errorf("at most %d chunks: the cases are too easy", most)
	}
}
