package cluster

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The indexed list must answer every query as a naive scan over booleans does.
func TestFreeAgainstScan(t *testing.T) {
	specs := map[string]Spec{
		"uniform": Uniform(3, 4, 8, 2),
		"flat":    Uniform(1, 7, 4, 1),
		"uneven": {Racks: [][]Machines{
			{{Count: 2, GPUs: 8, Slots: 2, Type: "a"}, {Count: 3, GPUs: 2, Type: "b"}},
			{{Count: 1, GPUs: 5, Type: "a"}},
			{{Count: 4, GPUs: 4, Slots: 4, Type: "b"}},
		}},
		"wide": Uniform(2, 70, 1, 1),
	}
	for name, spec := range specs {
		t.Run(name, func(t *testing.T) {
			top, err := New(spec)
			if err != nil {
				t.Fatal(err)
			}
			f := NewFree(top)
			naive := make([]bool, top.GPUs())
			for i := range naive {
				naive[i] = true
			}
			r := rand.New(rand.NewPCG(1, 2))
			for range 3000 {
				g := GPU(r.IntN(top.GPUs()))
				if naive[g] {
					f.Take(g)
				} else {
					f.Release(g)
				}
				naive[g] = !naive[g]
				if r.IntN(3) == 0 { // several at once
					several(f, naive, r)
				}
				f.Commit()
				compare(t, f, naive, 1+r.IntN(top.GPUs()))
				if t.Failed() {
					t.FailNow()
				}
			}
		})
	}
}

// several takes or releases some GPUs, in any order, and does and undoes the same and more.
func several(f *Free, naive []bool, r *rand.Rand) {
	var gpus, others []GPU
	free := r.IntN(2) == 0
	for _, g := range r.Perm(len(naive)) {
		if naive[g] == free {
			gpus = append(gpus, GPU(g))
		} else {
			others = append(others, GPU(g))
		}
	}
	gpus, others = gpus[:r.IntN(len(gpus)+1)], others[:r.IntN(len(others)+1)]
	slices.Sort(gpus[:r.IntN(len(gpus)+1)])
	do, undo := f.TakeAll, f.ReleaseAll
	if !free {
		do, undo = undo, do
	}
	mark := f.Mark()
	do(gpus)
	undo(others)
	undo(gpus[:len(gpus)/2])
	f.Rollback(mark)
	do(gpus)
	for _, g := range gpus {
		naive[g] = !free
	}
}

func compare(t *testing.T, f *Free, naive []bool, g int) {
	t.Helper()
	top := f.top
	for _, typ := range append([]string{""}, top.types...) {
		sub := f.Of(typ)
		if sub == nil {
			t.Fatalf("type %q unknown", typ)
		}
		free := func(g GPU) bool { return naive[g] && (typ == "" || top.Type(top.Machine(g)) == typ) }
		for l := LevelSlot; l <= LevelCluster; l++ {
			unit := func(g GPU) int {
				switch l {
				case LevelSlot:
					return top.Slot(g)
				case LevelMachine:
					return top.Machine(g)
				case LevelRack:
					return top.Rack(top.Machine(g))
				}
				return 0
			}
			count := map[int]int{}
			for i := range naive {
				if free(GPU(i)) {
					count[unit(GPU(i))]++
				}
			}
			largest, bestFit, firstFit := 0, -1, -1
			for u := range top.GPUs() {
				n := count[u]
				largest = max(largest, n)
				if n >= g {
					if bestFit < 0 || n < count[bestFit] {
						bestFit = u
					}
					if firstFit < 0 {
						firstFit = u
					}
				}
			}
			if got := sub.Largest(l); got != largest {
				t.Errorf("type %q level %v: largest %d, want %d", typ, l, got, largest)
			}
			for _, rule := range []Rule{BestFit, FirstFound} {
				want := bestFit
				if rule == FirstFound {
					want = firstFit
				}
				got, ok := sub.At(nil, g, l, rule)
				switch {
				case !ok:
				case rule == FirstFound && l <= LevelMachine:
					want = unit(got[0]) // its order is tested by TestFoundOrder; it must hold them all
				case rule == BestFit && l == LevelRack && g >= top.maxMach:
					want = wholeRack(top, free, g, want)
				}
				if rule == BestFit && typ == "" && len(top.types) > 1 && l < LevelCluster {
					want = ofOneType(top, free, unit, g, l, want)
				}
				if ok != (want >= 0) {
					t.Errorf("type %q level %v g %d: found %v, want unit %d", typ, l, g, ok, want)
				}
				if !ok {
					continue
				}
				if len(got) != g || !slices.IsSorted(got) {
					t.Errorf("level %v rule %v: %v, want %d ascending", l, rule, got, g)
				}
				for i, x := range got {
					if !free(x) || unit(x) != want || i > 0 && got[i-1] == x {
						t.Errorf("level %v rule %v: GPU %d of %v wrong, want unit %d", l, rule, x, got, want)
					}
				}
				if rule == BestFit && l >= LevelMachine {
					if m, least := machines(top, got), leastMachines(f, got, free, g); m > least && l == LevelMachine {
						t.Errorf("best fit uses %d machines, %d would do", m, least)
					}
				}
			}
		}
	}
}

// wholeRack is the rack with the fewest wholly free machines of the largest size that are enough
// for g GPUs; otherwise when none has enough.
func wholeRack(top *Topology, free func(GPU) bool, g, otherwise int) int {
	best, least := otherwise, 1<<30
	for r := range top.Racks() {
		n := 0
		lo, hi := top.RackMachines(r)
		for m := lo; m < hi; m++ {
			first, last := top.MachineGPUs(m)
			all := int(last-first) == top.maxMach
			for x := first; x < last; x++ {
				all = all && free(x)
			}
			if all {
				n++
			}
		}
		if n*top.maxMach >= g && n < least {
			best, least = r, n
		}
	}
	return best
}

// ofOneType is the unit that is taken where there are several types: the unit of one type which
// fits best, of equals the fastest's, else the given one.
func ofOneType(top *Topology, free func(GPU) bool, unit func(GPU) int, g int, l Level, otherwise int) int {
	best, least := otherwise, 1<<30
	for _, i := range top.Fastest() {
		of := func(x GPU) bool { return free(x) && top.Type(top.Machine(x)) == top.types[i] }
		count := map[int]int{}
		for x := range GPU(top.GPUs()) {
			if of(x) {
				count[unit(x)]++
			}
		}
		u, n := -1, 1<<29
		for x := range top.GPUs() {
			if count[x] >= g && count[x] < n {
				u, n = x, count[x]
			}
		}
		if l == LevelRack && u >= 0 {
			n += top.Machines()
			if w := wholeRack(top, of, g, -1); g >= top.maxMach && w >= 0 {
				u, n = w, 0
				for m, end := top.RackMachines(w); m < end; m++ {
					if first, last := top.MachineGPUs(m); int(last-first) == top.maxMach && allOf(of, first, last) {
						n++
					}
				}
			}
		}
		if u >= 0 && n < least {
			best, least = u, n
		}
	}
	return best
}

func allOf(of func(GPU) bool, first, last GPU) bool {
	for x := first; x < last; x++ {
		if !of(x) {
			return false
		}
	}
	return true
}

func machines(top *Topology, gpus []GPU) int {
	return top.ShapeOf(nil, gpus).Machines()
}

func leastMachines(f *Free, got []GPU, free func(GPU) bool, g int) int {
	per := map[int]int{}
	for i := range f.top.GPUs() {
		if free(GPU(i)) && f.top.Rack(f.top.Machine(GPU(i))) == f.top.Rack(f.top.Machine(got[0])) {
			per[f.top.Machine(GPU(i))]++
		}
	}
	var n []int
	for _, c := range per {
		n = append(n, c)
	}
	slices.Sort(n)
	slices.Reverse(n)
	for i, c := range n {
		if g -= c; g <= 0 {
			return i + 1
		}
	}
	return len(n)
}

// Best fit inside a rack touches as few machines as any choice could.
func TestRackTouchesFewMachines(t *testing.T) {
	top, _ := New(Uniform(1, 8, 8, 2))
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		f := NewFree(top)
		for g := range top.GPUs() {
			if r.IntN(2) == 0 {
				f.Take(GPU(g))
			}
		}
		g := 1 + r.IntN(f.Total())
		got, ok := f.At(nil, g, LevelRack, BestFit)
		if !ok {
			t.Fatalf("%d of %d free GPUs not found", g, f.Total())
		}
		if m, least := machines(top, got), leastMachines(f, got, f.Has, g); m != least {
			t.Fatalf("%d GPUs on %d machines, %d would do", g, m, least)
		}
	}
}

func TestScatterTouchesManyMachines(t *testing.T) {
	top, _ := New(Uniform(2, 3, 4, 1))
	f := NewFree(top)
	f.Take(0)
	got, ok := f.Scatter(nil, 6)
	if want := []GPU{1, 4, 8, 12, 16, 20}; !ok || !slices.Equal(got, want) {
		t.Errorf("scatter of 6 = %v, want %v", got, want)
	}
	if got, ok := f.Scatter(nil, 8); !ok || machines(top, got) != 6 {
		t.Errorf("scatter of 8 = %v", got)
	}
	if _, ok := f.Scatter(nil, 24); ok {
		t.Error("24 GPUs found where 23 are free")
	}
}

func TestRollback(t *testing.T) {
	top, _ := New(Uniform(2, 2, 4, 2))
	f, g := NewFree(top), NewFree(top)
	r := rand.New(rand.NewPCG(5, 6))
	f.Take(3)
	g.Take(3)
	f.Commit()
	mark := f.Mark()
	for range 50 {
		x := GPU(r.IntN(16))
		if f.Has(x) {
			f.Take(x)
		} else {
			f.Release(x)
		}
	}
	f.Rollback(mark)
	for i := range GPU(16) {
		if f.Has(i) != g.Has(i) {
			t.Errorf("GPU %d: free %v after rollback, want %v", i, f.Has(i), g.Has(i))
		}
	}
	for l := LevelSlot; l <= LevelCluster; l++ {
		if f.Largest(l) != g.Largest(l) {
			t.Errorf("level %v: largest %d after rollback, want %d", l, f.Largest(l), g.Largest(l))
		}
	}
	h := NewFree(top)
	h.CopyFrom(f)
	if h.Has(3) || h.Total() != 15 {
		t.Error("copy differs")
	}
}

func TestDoubleTakeIsRefused(t *testing.T) {
	top, _ := New(Uniform(1, 1, 2, 1))
	for name, do := range map[string]func(*Free){
		"take twice":    func(f *Free) { f.Take(0); f.Take(0) },
		"release twice": func(f *Free) { f.Release(0) },
		"take all":      func(f *Free) { f.TakeAll([]GPU{0, 1, 0}) },
		"release all":   func(f *Free) { f.TakeAll([]GPU{0}); f.ReleaseAll([]GPU{0, 1}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			do(NewFree(top))
		}()
	}
}

func TestFindAllocatesNothing(t *testing.T) {
	top, _ := New(Uniform(16, 16, 8, 2))
	f := NewFree(top)
	buf := make([]GPU, 0, 512)
	n := testing.AllocsPerRun(100, func() {
		mark := f.Mark()
		for l := LevelSlot; l <= LevelCluster; l++ {
			got, _ := f.At(buf, 4<<l, l, BestFit)
			for _, g := range got {
				f.Take(g)
			}
		}
		f.Rollback(mark)
	})
	if n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

// The cost of one place-and-release must grow with the depth of the index, not with the cluster.
func BenchmarkTakeBestFit(b *testing.B) {
	for _, racks := range []int{1, 8, 64, 512} {
		top, _ := New(Uniform(racks, 20, 8, 2))
		b.Run("machines="+itoa(racks*20), func(b *testing.B) {
			f := NewFree(top)
			buf := make([]GPU, 0, 64)
			b.ReportAllocs()
			for b.Loop() {
				got, _ := f.At(buf[:0], 4, LevelMachine, BestFit)
				for _, g := range got {
					f.Take(g)
				}
				for _, g := range got {
					f.Release(g)
				}
				f.Commit()
			}
		})
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// The emulated hash map, written with slices: new keys at the head of their bucket, buckets
// doubled at three quarters by moving each chain from its head, listed from the last bucket down.
func TestFoundOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 200 {
		var o foundOrder
		o.reset()
		buckets := make([][]int32, foundBuckets)
		keys := map[int32]uint32{}
		for u := range int32(1 + r.IntN(150)) {
			key := uint32(r.IntN(16))
			keys[u] = scramble(key)
			o.add(int(u), key)
			b := keys[u] % uint32(len(buckets))
			buckets[b] = slices.Insert(buckets[b], 0, u)
			if int(u)+1 < len(buckets)*3/4 {
				continue
			}
			old := buckets
			buckets = make([][]int32, 2*len(old))
			for i := len(old) - 1; i >= 0; i-- {
				for _, x := range old[i] {
					b := keys[x] % uint32(len(buckets))
					buckets[b] = slices.Insert(buckets[b], 0, x)
				}
			}
		}
		var want []int32
		for i := len(buckets) - 1; i >= 0; i-- {
			want = append(want, buckets[i]...)
		}
		free := make([]int32, len(keys))
		for _, w := range want {
			free[w] = 1
			if got := o.first(free, 1); got != int(w) {
				t.Fatalf("%d units: first is %d, want %d", len(keys), got, w)
			}
			free[w] = 0
		}
	}
}
