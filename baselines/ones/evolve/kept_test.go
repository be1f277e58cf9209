package evolve

import (
	"slices"
	"testing"

	"tarry/sim/rng"
)

// Where no slot is idle, the programme without the idle block writes what the one with it does.
func TestFullAgainstPartly(t *testing.T) {
	r := rng.Source{Seed: 5}.Stream("cases")
	var s Search
	for i := range 2000 {
		n := 3 + r.IntN(30)
		jobs, present := drawn(r, n, 12)
		if r.IntN(3) == 0 {
			r.Shuffle(n, func(i, j int) { present[i], present[j] = present[j], present[i] })
		}
		counts := make([]int32, len(jobs))
		for range n {
			counts[r.IntN(len(jobs))]++
		}
		s.lists(present, counts)
		want := slices.Clone(s.partly(nil, present, counts))
		if got := s.full(nil, present, counts); !slices.Equal(got, want) {
			t.Fatalf("case %d: %v, expected %v", i, got, want)
		}
	}
}

// A population whose slots are kept from one generation to the next lives as one whose slots are
// written anew each time, while jobs come and go and the present schedule changes.
func TestKeptSlots(t *testing.T) {
	r := rng.Source{Seed: 6}.Stream("cases")
	kept := 0
	for n := range 60 {
		slots := 8 + r.IntN(20)
		jobs, present := drawn(r, slots, 10)
		var both [2]*Search
		var draws [2]*rng.Stream
		for i := range both {
			both[i] = New(Config{Size: 8, Cross: 0.5, Mutate: 0.3})
			both[i].Slots(slices.Repeat([]int32{-1}, slots))
			draws[i] = rng.Source{Seed: uint64(n)}.Stream("search")
		}
		for step := range 40 {
			kept += kindsOfChange(r, step, both, &jobs, present)
			both[1].written = false
			for i, s := range both {
				s.Generation(draws[i], jobs, present)
			}
			if !slices.EqualFunc(both[0].lives, both[1].lives, slices.Equal) {
				t.Fatalf("case %d, generation %d: %v, expected %v", n, step, both[0].lives, both[1].lives)
			}
			if r.IntN(4) == 0 {
				copy(present, both[0].Best())
			}
		}
	}
	if kept < 600 {
		t.Errorf("slots could be kept in %d generations, expected more", kept)
	}
}

// kindsOfChange lets a job come or leave, or none, and gives how many searches have slots to keep.
func kindsOfChange(r *rng.Stream, step int, both [2]*Search, jobs *[]Job, present []int32) int {
	if step == 0 {
		return 0
	}
	n := len(*jobs)
	is := make([]int32, n)
	for i := range is {
		is[i] = int32(i)
	}
	switch out := r.IntN(n); {
	case r.IntN(6) == 0 && n > 2:
		for i := out; i < n; i++ {
			is[i]--
		}
		is[out] = -1
		*jobs = slices.Delete(slices.Clone(*jobs), out, out+1)
		for k, j := range present {
			if j >= 0 {
				present[k] = is[j]
			}
		}
	case r.IntN(6) == 0:
		*jobs = append(slices.Clone(*jobs), Job{Least: 1, Unit: 1, Resume: 1, Limit: 3, New: true})
	}
	for _, s := range both {
		s.Rename(is)
	}
	if both[0].written {
		return 1
	}
	return 0
}
