package fixmath

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAllAreTheSame: ExpAll and TanhAll give the bits of Exp and Tanh, wherever a number stands.
func TestAllAreTheSame(t *testing.T) {
	xs := append(arguments(100_000), grid(200_000)...)
	for _, edge := range []float64{0.625, 44.01, 44.014845965556527, 45, -708, 708, -746, -745.13, -708.39,
		709.782712893384, 5e-324, 0x1p-1022} {
		for range 3 {
			xs = append(xs, edge, -edge, math.Nextafter(edge, 1e9), math.Nextafter(edge, -1e9),
				math.Nextafter(-edge, 1e9), math.Nextafter(-edge, -1e9), 1)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 3 {
		r.Shuffle(len(xs), func(i, j int) { xs[i], xs[j] = xs[j], xs[i] })
		for at := 0; at < len(xs); {
			part := xs[at:min(at+r.IntN(50)*r.IntN(900), len(xs))]
			holdAll(t, part)
			at += len(part)
		}
	}
}

// holdAll compares both functions over xs with the scalar ones.
func holdAll(t *testing.T, xs []float64) {
	t.Helper()
	room := make([]float64, len(xs)+2)
	for _, f := range []struct {
		name string
		all  func(dst, src []float64)
		one  func(float64) float64
	}{{"Exp", ExpAll, Exp}, {"Tanh", TanhAll, Tanh}} {
		room[0], room[len(xs)+1] = 7, 7
		dst := room[1 : len(xs)+1]
		f.all(dst, xs)
		if room[0] != 7 || room[len(xs)+1] != 7 {
			t.Fatalf("%sAll of %d numbers wrote beside them", f.name, len(xs))
		}
		inPlace := slices.Clone(xs)
		f.all(inPlace, inPlace)
		for i, x := range xs {
			if want := f.one(x); !same(dst[i], want) || !same(inPlace[i], want) {
				t.Fatalf("%sAll(%v) is %v, in place %v, expected %v", f.name, x, dst[i], inPlace[i], want)
			}
		}
	}
}

// FuzzAll looks for numbers whose four at a time are not as one at a time.
func FuzzAll(f *testing.F) {
	f.Add(uint64(0), uint64(1)<<63, uint64(0x3ff0000000000000), uint64(0x7ff8000000000001))
	f.Fuzz(func(t *testing.T, a, b, c, d uint64) {
		holdAll(t, []float64{math.Float64frombits(a), math.Float64frombits(b), math.Float64frombits(c),
			math.Float64frombits(d)})
	})
}

func BenchmarkAll(b *testing.B) {
	xs, dst := grid(4096), make([]float64, 4096)
	for i := range xs {
		xs[i] *= 4
	}
	for _, f := range []struct {
		name string
		f    func()
	}{
		{"tanh", func() { TanhAll(dst, xs) }},
		{"tanh one by one", func() {
			for i, x := range xs {
				dst[i] = Tanh(x)
			}
		}},
		{"exp", func() { ExpAll(dst, xs) }},
		{"exp one by one", func() {
			for i, x := range xs {
				dst[i] = Exp(x)
			}
		}},
	} {
		b.Run(f.name, func(b *testing.B) {
			for b.Loop() {
				f.f()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/number")
		})
	}
}
