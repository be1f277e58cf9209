package cluster

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// A list that is shown masks answers as one from which the others were taken.
func TestShowIsTake(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	top, err := New(Spec{Racks: [][]Machines{{{Count: 2, GPUs: 4, Slots: 2}, {Count: 1, GPUs: 3, Type: "a"}},
		{{Count: 2, GPUs: 8, Slots: 4, Type: "b"}}}})
	if err != nil {
		t.Fatal(err)
	}
	shown := NewShown(top)
	if shown.Total() != 0 || shown.Largest(LevelSlot) != 0 {
		t.Fatalf("a new list shows %d GPUs", shown.Total())
	}
	for range 200 {
		taken := NewFree(top)
		for g := range GPU(top.GPUs()) {
			if r.IntN(2) == 0 {
				taken.Take(g)
			}
		}
		for m := range top.Machines() {
			shown.Show(m, taken.Mask(m))
		}
		for l := LevelGPU; l <= LevelCluster; l++ {
			if shown.Largest(l) != taken.Largest(l) {
				t.Fatalf("largest at %v: shown %d, taken %d", l, shown.Largest(l), taken.Largest(l))
			}
		}
		for l := LevelSlot; l <= LevelCluster && taken.Total() > 0; l++ {
			n := 1 + r.IntN(taken.Total())
			got, ok := shown.At(nil, n, l, BestFit)
			if want, there := taken.At(nil, n, l, BestFit); ok != there || !slices.Equal(got, want) {
				t.Fatalf("%d at %v: shown %v, taken %v", n, l, got, want)
			}
		}
		m := r.IntN(top.Machines())
		n := r.IntN(taken.InMachine(m) + 1)
		if mask := taken.Keep(m, n, BestFit); bits.OnesCount64(mask) != n || mask&^taken.Mask(m) != 0 {
			t.Fatalf("keeps %b of %b, expected %d", mask, taken.Mask(m), n)
		}
	}
}
