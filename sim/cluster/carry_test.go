package cluster

import (
	"math/rand/v2"
	"testing"
)

// flipAny takes or releases one GPU, or several where they are alike, and gives what was done.
func flipAny(f *Free, r *rand.Rand) func(*Free) {
	g := GPU(r.IntN(f.top.GPUs()))
	take, gpus := f.Has(g), []GPU{g}
	for ; len(gpus) < 6 && int(g)+1 < f.top.GPUs() && f.Has(g+1) == take && r.IntN(3) > 0; g++ {
		gpus = append(gpus, g+1)
	}
	return func(to *Free) { to.all(gpus, take) }
}

// What is carried out of a plan, and beside it, is what it would be had the plan been undone first.
func TestCarry(t *testing.T) {
	typed := Uniform(2, 2, 4, 2)
	typed.Racks[1] = []Machines{{Count: 2, GPUs: 4, Slots: 2, Type: "other"}}
	for _, spec := range []Spec{Uniform(2, 3, 8, 2), typed} {
		top, err := New(spec)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(11, 3))
		f, want := NewFree(top), NewFree(top)
		whole := 0
		for range 3000 {
			var plan []func(*Free)
			for range r.IntN(6) {
				do := flipAny(f, r)
				do(f)
				plan = append(plan, do)
			}
			same := r.IntN(len(plan) + 1)
			f.Carry()
			for _, do := range plan[:same] {
				do(f)
				f.Commit()
				do(want)
			}
			for n := r.IntN(4); n > 0; n-- {
				do := flipAny(want, r)
				do(f)
				do(want)
			}
			if f.Settle(); same == len(plan) {
				whole++
			}
			want.Commit()
			if f.Mark() != 0 {
				t.Fatalf("the journal holds %d, expected none", f.Mark())
			}
			sameFree(t, f, want)
			for i := range f.ofType {
				sameFree(t, f.Type(i), want.Type(i))
			}
		}
		if whole < 300 {
			t.Errorf("%d plans were carried out whole, expected hundreds", whole)
		}
	}
}

func sameFree(t *testing.T, f, want *Free) {
	t.Helper()
	if f.Total() != want.Total() {
		t.Fatalf("%d GPUs are free, expected %d", f.Total(), want.Total())
	}
	for g := range GPU(f.top.GPUs()) {
		if f.Has(g) != want.Has(g) {
			t.Fatalf("GPU %d: free %v, expected %v", g, f.Has(g), want.Has(g))
		}
	}
	for l := LevelSlot; l <= LevelCluster; l++ {
		if f.Largest(l) != want.Largest(l) {
			t.Fatalf("level %v: largest %d, expected %d", l, f.Largest(l), want.Largest(l))
		}
	}
}
