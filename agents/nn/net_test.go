package nn

import (
	"math"
	"runtime"
	"slices"
	"testing"
)

// Permuting candidates, their features and mask together, permutes the scores of the slots and
// leaves the extra choices and a pooled answer as they are.
func TestSetNetIsEquivariant(t *testing.T) {
	r := stream("equivariant")
	shape := SetShape{Global: 3, Slots: 6, Features: 4, Extra: 1}
	scores, pooled := NewSetNet("s", shape, 8, false, 1, r), NewSetNet("p", shape, 8, true, 1, r)
	obs, perm := make([]float64, shape.In()), make([]float64, shape.In())
	for range 50 {
		fill(obs, r)
		copy(perm, obs)
		mask, maskPerm := make([]bool, shape.Choices()), make([]bool, shape.Choices())
		for i := range mask {
			mask[i] = r.IntN(3) > 0
		}
		order := r.Perm(shape.Slots)
		maskPerm[0] = mask[0]
		for to, from := range order {
			f := shape.Features
			copy(perm[shape.Global+to*f:shape.Global+(to+1)*f], obs[shape.Global+from*f:])
			maskPerm[1+to] = mask[1+from]
		}
		a, b := make([]float64, shape.Choices()), make([]float64, shape.Choices())
		scores.Forward(a, obs, mask)
		scores.Forward(b, perm, maskPerm)
		for to, from := range order {
			if math.Abs(b[1+to]-a[1+from]) > 1e-12 {
				t.Fatalf("the score of a candidate moved from %g to %g", a[1+from], b[1+to])
			}
		}
		if math.Abs(a[0]-b[0]) > 1e-12 {
			t.Fatalf("the extra choice moved from %g to %g", a[0], b[0])
		}
		pooled.Forward(a[:1], obs, mask)
		pooled.Forward(b[:1], perm, maskPerm)
		if math.Abs(a[0]-b[0]) > 1e-12 {
			t.Fatalf("the answer about the set moved from %g to %g", a[0], b[0])
		}
	}
}

// Permuting slots with several answers each permutes the answers, block by block.
func TestSetNetOfSeveralAnswersIsEquivariant(t *testing.T) {
	r := stream("equivariant answers")
	shape := SetShape{Global: 2, Slots: 6, Features: 3, Each: 2}
	n := NewSetNet("s", shape, 8, false, 1, r)
	obs, perm := make([]float64, shape.In()), make([]float64, shape.In())
	a, b := make([]float64, shape.Choices()), make([]float64, shape.Choices())
	for range 50 {
		fill(obs, r)
		copy(perm, obs)
		order := r.Perm(shape.Slots)
		for to, from := range order {
			copy(perm[shape.Global+to*shape.Features:][:shape.Features], obs[shape.Global+from*shape.Features:])
		}
		n.Forward(a, obs, nil)
		n.Forward(b, perm, nil)
		for to, from := range order {
			for k := range shape.Each {
				if math.Abs(b[to*shape.Each+k]-a[from*shape.Each+k]) > 1e-12 {
					t.Fatalf("answer %d of a slot moved from %g to %g", k, a[from*shape.Each+k], b[to*shape.Each+k])
				}
			}
		}
		if a[0] == a[2] {
			t.Fatal("two slots have the same answer")
		}
	}
}

// The same with a mask of single answers: a slot takes part where one of them is legal, or, with
// Present, where there is a candidate.
func TestSetNetOfMaskedAnswersIsEquivariant(t *testing.T) {
	r := stream("equivariant masked answers")
	for _, present := range []bool{false, true} {
		shape := SetShape{Global: 2, Slots: 6, Features: 3, Each: 4, Extra: 1, Present: present}
		n, pooled := NewSetNet("s", shape, 8, false, 1, r), NewSetNet("p", shape, 8, true, 1, r)
		obs, perm := make([]float64, shape.In()), make([]float64, shape.In())
		mask, maskPerm := make([]bool, shape.Choices()), make([]bool, shape.Choices())
		a, b := make([]float64, shape.Choices()), make([]float64, shape.Choices())
		for range 50 {
			fill(obs, r)
			for i := range mask {
				mask[i] = r.IntN(4) == 0
			}
			for k := range shape.Slots {
				if obs[shape.Global+k*shape.Features] = float64(r.IntN(2)); present && !shape.Legal(obs, mask, k) {
					clear(mask[shape.Extra+k*shape.Each:][:shape.Each])
				}
			}
			copy(perm, obs)
			copy(maskPerm, mask)
			order := r.Perm(shape.Slots)
			for to, from := range order {
				copy(perm[shape.Global+to*shape.Features:][:shape.Features], obs[shape.Global+from*shape.Features:])
				copy(maskPerm[shape.Extra+to*shape.Each:][:shape.Each], mask[shape.Extra+from*shape.Each:])
			}
			n.Forward(a, obs, mask)
			n.Forward(b, perm, maskPerm)
			for to, from := range order {
				part := slices.Contains(mask[shape.Extra+from*shape.Each:][:shape.Each], true)
				if present {
					part = obs[shape.Global+from*shape.Features] != 0
				}
				for k := range shape.Each {
					x, y := a[shape.Extra+from*shape.Each+k], b[shape.Extra+to*shape.Each+k]
					if math.Abs(x-y) > 1e-12 || (x == 0) == part {
						t.Fatalf("answer %d of a slot moved from %g to %g; it takes part: %v", k, x, y, part)
					}
				}
			}
			pooled.Forward(a[:1], obs, mask)
			pooled.Forward(b[:1], perm, maskPerm)
			if math.Abs(a[0]-b[0]) > 1e-12 {
				t.Fatalf("the answer about the set moved from %g to %g", a[0], b[0])
			}
		}
	}
}

// What stands in a masked slot moves nothing.
func TestSetNetIgnoresPadding(t *testing.T) {
	r := stream("padding")
	shape := SetShape{Global: 1, Slots: 3, Features: 2}
	n := NewSetNet("s", shape, 5, false, 1, r)
	obs, mask := make([]float64, shape.In()), []bool{true, false, true}
	fill(obs, r)
	a, b := make([]float64, 3), make([]float64, 3)
	n.Forward(a, obs, mask)
	obs[3], obs[4] = 1e6, math.NaN()
	n.Forward(b, obs, mask)
	if a[0] != b[0] || a[2] != b[2] {
		t.Errorf("scores moved from %v to %v", a, b)
	}
	n.Forward(a, obs, []bool{false, false, false})
	if a[0] != 0 || a[1] != 0 || a[2] != 0 {
		t.Errorf("scores of an empty set are %v", a)
	}
}

func TestForwardAllocatesNothing(t *testing.T) {
	r := stream("allocs")
	for name, net := range nets(r) {
		obs, out := make([]float64, net.In()), make([]float64, net.Out())
		if n := testing.AllocsPerRun(100, func() { net.Forward(out, obs, nil) }); n != 0 {
			t.Errorf("%s: %g allocations per pass", name, n)
		}
	}
}

func TestForkSharesWeightsOnly(t *testing.T) {
	r := stream("fork")
	for name, net := range nets(r) {
		f := net.Fork()
		obs, a, b := make([]float64, net.In()), make([]float64, net.Out()), make([]float64, net.Out())
		fill(obs, r)
		net.Params()[0].W[0] += 0.5
		net.Forward(a, obs, nil)
		done := make(chan bool)
		go func() { f.Forward(b, obs, nil); close(done) }()
		net.Forward(a, obs, nil)
		<-done
		for i := range a {
			if a[i] != b[i] {
				t.Errorf("%s: output %d is %g and %g", name, i, a[i], b[i])
			}
		}
	}
}

// Dropped machines are collected: training at many batch sizes must not fill the memory.
func TestMachinesAreCollected(t *testing.T) {
	r := stream("leak")
	net := NewMLP("m", []int{16, 64, 64, 4}, Tanh, 1, r)
	heap := func() float64 {
		runtime.GC()
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return float64(s.HeapAlloc) / 1e6
	}
	round := func(n int) {
		for range n {
			m, _, _ := weightedSum(t, net, 64)
			if _, err := m.Run(); err != nil {
				t.Fatal(err)
			}
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	round(3)
	before := heap()
	round(25)
	if grown := heap() - before; grown > 2 {
		t.Errorf("25 dropped machines left %.1f MB", grown)
	}
}

// Many observations at once have the very answers of one at a time, and once warm nothing is
// allocated.
func TestForwardRowsIsForward(t *testing.T) {
	r := stream("rows")
	all := nets(r)
	for name, d := range duels() {
		all["duel of "+name] = d
	}
	all["wide"] = NewMLP("wide", []int{70, 130, 300, 9}, Relu, 1, r)
	for name, net := range all {
		for _, rows := range []int{1, 2, 7, 19, 3} {
			obs, got, want := make([]float64, rows*net.In()), make([]float64, rows*net.Out()),
				make([]float64, net.Out())
			fill(obs, r)
			var mask []bool
			for i := range rows {
				unmark(net, obs[i*net.In():(i+1)*net.In()], r)
				one := randomMask(net, r)
				if s, ok := net.(*SetNet); ok && one == nil && s.shape.Each != 2 && !s.shape.Marked {
					one = slices.Repeat([]bool{true}, s.shape.Choices())
				}
				if d, ok := net.(*Duel); ok {
					for range d.Out() {
						one = append(one, r.IntN(3) > 0)
					}
				}
				mask = append(mask, one...)
			}
			net.ForwardRows(got, obs, mask, rows)
			for i := range rows {
				var one []bool
				if mask != nil {
					n := len(mask) / rows
					one = mask[i*n : (i+1)*n]
				}
				net.Forward(want, obs[i*net.In():(i+1)*net.In()], one)
				for j, v := range want {
					if g := got[i*net.Out()+j]; math.Float64bits(g) != math.Float64bits(v) {
						t.Fatalf("%s, row %d of %d: answer %d is %v, expected %v", name, i, rows, j, g, v)
					}
				}
			}
			if n := testing.AllocsPerRun(5, func() { net.ForwardRows(got, obs, mask, rows) }); n != 0 {
				t.Errorf("%s: %g allocations per pass", name, n)
			}
		}
	}
}

// Forward adds the products to the bias, one after the other.
func TestForwardIsItsSums(t *testing.T) {
	r := stream("sums")
	net := NewMLP("m", []int{5, 70, 3}, Relu, 1, r)
	for _, p := range net.Params() {
		fill(p.W, r)
	}
	obs, got := make([]float64, 5), make([]float64, 3)
	fill(obs, r)
	net.Forward(got, obs, nil)
	x := obs
	for i, d := range net.layers {
		y := slices.Clone(d.b.W)
		for k, v := range x {
			for j := range y {
				y[j] += float64(v * d.w.W[k*d.w.Cols+j])
			}
		}
		for j := range y {
			if i == 0 {
				y[j] = max(y[j], 0)
			}
		}
		x = y
	}
	for j, v := range x {
		if math.Float64bits(v) != math.Float64bits(got[j]) {
			t.Errorf("answer %d is %v, expected %v", j, got[j], v)
		}
	}
}
