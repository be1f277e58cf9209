package cluster

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Indices that are brought up to date after any number of changes, kept, rolled back or copied in
// between, answer as a list on which the same GPUs were taken one by one, each followed by
// a query.
func TestLateIndex(t *testing.T) {
	for seed := range uint64(200) {
		shape := Uniform(3, 4, 8, 2-int(seed%2))
		for m := range shape.Racks[1] {
			shape.Racks[1][m].Type = "v"
		}
		top, err := New(shape)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 7))
		f := NewFree(top)
		for range 1 + r.IntN(4) {
			toggle(f, r)
			mark := f.Mark()
			toggle(f, r)
			if r.IntN(2) == 0 {
				f.Rollback(mark)
			}
			f.Commit()
		}
		if r.IntN(2) == 0 {
			c := NewFree(top)
			toggle(c, r)
			c.CopyFrom(f)
			f = c
		}
		same(t, f, prompt(f))
	}
}

// toggle takes and releases GPUs at random.
func toggle(f *Free, r *rand.Rand) {
	for range r.IntN(60) {
		if g := GPU(r.IntN(f.top.GPUs())); f.Has(g) {
			f.Take(g)
		} else {
			f.Release(g)
		}
	}
}

// prompt is a list with the same GPUs free whose indices never lag.
func prompt(f *Free) *Free {
	c := NewFree(f.top)
	for g := range GPU(f.top.GPUs()) {
		if !f.Has(g) {
			c.Take(g)
			c.Largest(LevelRack)
			for _, of := range c.ofType {
				of.Largest(LevelRack)
			}
		}
	}
	return c
}

func same(t *testing.T, a, b *Free) {
	t.Helper()
	for _, typ := range []string{"", "v"} {
		x, y := a.Of(typ), b.Of(typ)
		if x.Total() != y.Total() {
			t.Fatalf("type %q: %d GPUs free, expected %d", typ, x.Total(), y.Total())
		}
		for r := range a.top.Racks() {
			if x.InRack(r) != y.InRack(r) {
				t.Fatalf("type %q: %d GPUs free in rack %d, expected %d", typ, x.InRack(r), r, y.InRack(r))
			}
		}
		for s := range a.top.Slots() {
			if x.InSlot(s) != y.InSlot(s) {
				t.Fatalf("type %q: %d GPUs free in slot %d, expected %d", typ, x.InSlot(s), s, y.InSlot(s))
			}
		}
		for n := 1; n <= a.top.GPUs(); n++ {
			for l := LevelSlot; l <= LevelCluster; l++ {
				for _, rule := range []Rule{BestFit, FirstFound} {
					u, ok := x.At(nil, n, l, rule)
					w, fits := y.At(nil, n, l, rule)
					if ok != fits || !slices.Equal(u, w) {
						t.Fatalf("type %q, %d GPUs at level %v with %v: %v (%v), expected %v (%v)", typ, n, l, rule, u,
							ok, w, fits)
					}
				}
			}
			u, _ := x.Scatter(nil, n)
			if w, _ := y.Scatter(nil, n); !slices.Equal(u, w) {
				t.Fatalf("type %q, %d GPUs scattered: %v, expected %v", typ, n, u, w)
			}
		}
	}
}

// Nothing is tighter than what Compact names, also on several machines; what an empty cluster gives is
// compact.
func TestCompact(t *testing.T) {
	for slots := 1; slots <= 4; slots *= 2 {
		top, err := New(Uniform(2, 2, 8, slots))
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= top.GPUs(); n++ {
			best, ok := NewFree(top).At(nil, n, LevelCluster, BestFit)
			if !ok || !top.Compact(best) {
				t.Fatalf("%d slots: %v of an empty cluster is not compact", slots, best)
			}
			r := rand.New(rand.NewPCG(uint64(n), 9))
			for range 50 {
				of := []GPU{}
				for _, g := range r.Perm(top.GPUs())[:n] {
					of = append(of, GPU(g))
				}
				if slices.Sort(of); top.Tighter(of, best) || top.Compact(of) == top.Tighter(best, of) {
					t.Fatalf("%d slots: %v is compact: %v, %v is tighter: %v", slots, of, top.Compact(of), best,
						top.Tighter(best, of))
				}
			}
		}
	}
}

// Nothing is tighter than what Tightest names.
func TestTightest(t *testing.T) {
	for slots := 1; slots <= 4; slots *= 2 {
		top, err := New(Uniform(2, 2, 8, slots))
		if err != nil {
			t.Fatal(err)
		}
		named := 0
		for seed := range uint64(300) {
			r := rand.New(rand.NewPCG(seed, 9))
			n := 1 + r.IntN(12)
			draw := func() []GPU {
				var gpus []GPU
				for _, g := range r.Perm(top.GPUs() / (1 + r.IntN(4)))[:n%9+min(n/9, 1)] {
					gpus = append(gpus, GPU(g))
				}
				slices.Sort(gpus)
				return gpus
			}
			of := draw()
			if !top.Tightest(of) {
				continue
			}
			named++
			for range 50 {
				if other := draw(); len(other) == len(of) && top.Tighter(other, of) {
					t.Fatalf("%d slots: %v is tighter than %v", slots, other, of)
				}
			}
			for l := LevelSlot; l <= LevelCluster; l++ {
				if best, ok := NewFree(top).At(nil, len(of), l, BestFit); ok && top.Tighter(best, of) {
					t.Fatalf("%d slots: %v is tighter than %v", slots, best, of)
				}
			}
		}
		if named == 0 {
			t.Errorf("%d slots: no allocation is the tightest", slots)
		}
	}
}
