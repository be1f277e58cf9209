package matrix

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// numbers gives n of them of many sizes, some 0 or -0; they end where their memory does.
func numbers(r *rand.Rand, n int) []float64 {
	x := make([]float64, n+r.IntN(4))
	x = x[len(x)-n:]
	for i := range x {
		x[i] = r.NormFloat64() * math.Ldexp(1, r.IntN(30)-15)
		if r.IntN(8) == 0 {
			x[i] = math.Copysign(0, x[i])
		}
	}
	return x
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
}

// shapes calls f with every small shape and many larger ones.
func shapes(f func(r *rand.Rand, m, k, n int)) {
	r := rand.New(rand.NewPCG(1, 2))
	for m := range 6 {
		for k := range 6 {
			for n := range 14 {
				f(r, m, k, n)
			}
		}
	}
	for range 100 {
		f(r, r.IntN(12), r.IntN(20), r.IntN(80))
		f(r, r.IntN(80), r.IntN(140), r.IntN(80))
	}
	f(r, rows+5, 3, 9)
	f(r, 9, 3, 300)
	f(r, 17, 129, 17)
	f(r, 300, 40, 1)
	f(r, 2*rows+1, 17, 2)
}

// TestPlainIsTheSame: the assembly gives the bits of plain Go, also with sums that start elsewhere
// than at 0.
func TestPlainIsTheSame(t *testing.T) {
	if !vector {
		t.Skip("this build or processor has plain Go alone")
	}
	shapes(func(r *rand.Rand, m, k, n int) {
		a, b, before := numbers(r, m*k), numbers(r, k*n), numbers(r, m*n)
		for _, add := range []bool{false, true} {
			for _, s := range [][2]int{{k, 1}, {1, m}} {
				got, want := slices.Clone(before), slices.Clone(before)
				if n > 0 {
					panels(got, a, b, m, k, n, s[0], s[1], add)
					plainPanels(want, a, b, m, k, n, s[0], s[1], add)
				}
				if !sameBits(got, want) {
					t.Fatalf("%d by %d by %d, strides %v, add %v: %v, expected %v", m, k, n, s, add, got, want)
				}
			}
			if m == 0 || n == 0 || k == 0 {
				continue
			}
			got, want, from := slices.Clone(before), slices.Clone(before), r.IntN(k)
			lefts(got, a, b, m, n, k, from, k-from, add)
			plainLefts(want, a, b, m, n, k, from, k-from, add)
			if !sameBits(got, want) {
				t.Fatalf("left of %d by %d by %d from %d, add %v: %v, expected %v", m, k, n, from, add, got, want)
			}
		}
	})
}

// TestNothingElseIsWritten: the results have their place, and nothing before or behind it changes.
func TestNothingElseIsWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		m, k, n := r.IntN(20), r.IntN(20), r.IntN(40)
		a, b, room := numbers(r, m*k), numbers(r, k*n), numbers(r, m*n+16)
		was := slices.Clone(room)
		c := room[8 : 8+m*n]
		for i, f := range []func(){
			func() { Product(c, a, b, m, k, n) }, func() { Left(c, a, b, m, k, n, k+1) },
			func() { AddRight(c, a, b, m, k, n) },
		} {
			f()
			if !sameBits(room[:8], was[:8]) || !sameBits(room[8+m*n:], was[8+m*n:]) {
				t.Fatalf("product %d of %d by %d by %d wrote outside its result", i, m, k, n)
			}
		}
	}
}

// TestByHand: a product of 2 by 3 and 3 by 2, and what is made of it.
func TestByHand(t *testing.T) {
	a, b := []float64{1, 2, 3, 4, 5, 6}, []float64{1, 10, 100, 1000, 10000, 100000}
	for _, c := range []struct {
		name string
		f    func(c []float64)
		want []float64
	}{
		{"Product", func(c []float64) { Product(c, a, b, 2, 3, 2) }, []float64{30201, 302010, 60504, 605040}},
		{"Add", func(c []float64) { Add(c, a, b, 2, 3, 2) }, []float64{30202, 302009, 60503, 605039}},
		{"Left", func(c []float64) { Left(c, a, b, 2, 3, 2, 64) }, []float64{321, 321000, 654, 654000}},
		{"Left in steps", func(c []float64) { Left(c, a, b, 2, 3, 2, 2) }, []float64{321, 321000, 654, 654000}},
		{"AddRight", func(c []float64) { AddRight(c, a, b, 2, 3, 2) }, []float64{50302, 503009, 60401, 604019}},
	} {
		got := []float64{1, -1, -1, -1}
		c.f(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s is %v, expected %v", c.name, got, c.want)
		}
	}
}

// TestWrongSizes: slices that are too short end the program before anything is read or written.
func TestWrongSizes(t *testing.T) {
	x := make([]float64, 12)
	for i, f := range []func(){
		func() { Product(x[:11], x, x, 3, 2, 4) }, func() { Product(x, x[:5], x, 3, 2, 4) },
		func() { Left(x, x, x[:7], 3, 2, 4, 64) }, func() { AddRight(x, x, x, -1, 2, 4) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("case %d was computed", i)
				}
			}()
			f()
		}()
	}
}

// TestInfinite: 0 times an infinite number is not a number, in every kernel.
func TestInfinite(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, s := range [][3]int{{1, 3, 40}, {4, 3, 8}, {4, 3, 3}, {9, 5, 11}} {
		m, k, n := s[0], s[1], s[2]
		c, a, b := make([]float64, m*n), numbers(r, m*k), numbers(r, k*n)
		for i := range m {
			a[i*k] = 0
		}
		for j := range n {
			b[j] = math.Inf(1)
		}
		Product(c, a, b, m, k, n)
		for _, v := range c {
			if v == v {
				t.Fatalf("%v: %v, expected NaN alone", s, c)
			}
		}
	}
}

// FuzzProducts holds the products to plain Go.
func FuzzProducts(f *testing.F) {
	if Arithmetic != Exact {
		f.Skip("other products have other bits")
	}
	f.Add(uint64(1), uint8(4), uint8(3), uint8(9), uint8(2))
	f.Add(uint64(2), uint8(5), uint8(64), uint8(33), uint8(64))
	f.Fuzz(func(t *testing.T, seed uint64, m8, k8, n8, step8 uint8) {
		r := rand.New(rand.NewPCG(seed, 7))
		m, k, n, step := int(m8), int(k8), int(n8), 1+int(step8)
		a, b, c := numbers(r, m*k), numbers(r, k*n), numbers(r, m*n)
		want := slices.Clone(c)
		AddRight(c, a, b, m, k, n)
		if n > 0 {
			plainPanels(want, a, b, m, k, n, 1, m, true)
		}
		if !sameBits(c, want) {
			t.Fatal("AddRight gave other bits than plain Go")
		}
		Left(c, a, b, m, k, n, step)
		clear(want)
		for from := 0; from < k; from += step {
			plainLefts(want, a, b, m, n, k, from, min(step, k-from), true)
		}
		if !sameBits(c, want) {
			t.Fatal("Left gave other bits than plain Go")
		}
	})
}

func BenchmarkProducts(b *testing.B) {
	r := rand.New(rand.NewPCG(8, 9))
	for _, s := range [][3]int{{64, 4, 64}, {64, 64, 64}, {128, 64, 64}, {256, 64, 64}, {128, 256, 256},
		{256, 256, 256}, {64, 64, 2}, {64, 64, 1}, {1, 64, 64}, {256, 256, 1}} {
		m, k, n := s[0], s[1], s[2]
		x, w, g := numbers(r, m*k), numbers(r, k*n), numbers(r, m*n)
		out := make([]float64, max(m*k, k*n, m*n))
		for _, c := range []struct {
			name string
			f    func()
		}{
			{"product", func() { Product(out, x, w, m, k, n) }},
			{"left", func() { Left(out, g, w, m, n, k, 64) }},
			{"right", func() { AddRight(out, x, g, k, m, n) }},
		} {
			b.Run(fmt.Sprintf("%s/%dx%dx%d", c.name, m, n, k), func(b *testing.B) {
				for b.Loop() {
					c.f()
				}
				b.ReportMetric(2*float64(m*k*n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
			})
		}
	}
}
