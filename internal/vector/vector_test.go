package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// numbers gives n of them, of many sizes and some of the special ones.
func numbers(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64() * math.Ldexp(1, r.IntN(40)-20)
		if r.IntN(6) == 0 {
			x[i] = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, 1}[r.IntN(7)]
		}
	}
	return x
}

func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(a, b float64) bool {
		return math.Float64bits(a) == math.Float64bits(b) ||
			a != a && b != b
	})
}

// pass is a pass over slices of one length, and what it does to the numbers of one place.
type pass struct {
	name   string
	slices int
	all    func(x [][]float64)
	one    func(x []float64) // the numbers at one place, changed
}

// step is Adam's and RMSProp's, written anew.
func passes() []pass {
	adam := Adam{0.9, 0.999, 3e-4, 0.77, 1e-5}
	adamOne := func(x []float64) {
		w, m, v, g := &x[0], &x[1], &x[2], x[3]
		*m = float64(0.9**m) + float64((1-adam.Beta1)*g)
		*v = float64(0.999**v) + float64((1-adam.Beta2)*float64(g*g))
		*w -= float64(3e-4**m) / (math.Sqrt(*v)/0.77 + 1e-5)
	}
	rms := func(inRoot bool) pass {
		r := RMSProp{0.99, 7e-4, 1e-5, inRoot}
		return pass{"RMSProp", 3, func(x [][]float64) { r.Step(x[0], x[1], x[2]) }, func(x []float64) {
			x[1] = float64(0.99*x[1]) + float64((1-r.Decay)*float64(x[2]*x[2]))
			root := math.Sqrt(x[1]) + 1e-5
			if inRoot {
				root = math.Sqrt(x[1] + 1e-5)
			}
			x[0] -= float64(7e-4*x[2]) / root
		}}
	}
	return []pass{
		{"Relu", 1, func(x [][]float64) { Relu(x[0]) }, func(x []float64) {
			if !(x[0] >= 0) {
				x[0] *= 0
			}
		}},
		{"Rectify", 1, func(x [][]float64) { Rectify(x[0]) }, func(x []float64) { x[0] = max(x[0], 0) }},
		{"ReluSlope", 3, func(x [][]float64) { ReluSlope(x[0], x[1], x[2]) }, func(x []float64) {
			if x[0] = x[2]; math.Signbit(x[1]) {
				x[0] *= 0
			}
		}},
		{"TanhSlope", 3, func(x [][]float64) { TanhSlope(x[0], x[1], x[2]) },
			func(x []float64) { x[0] = (1 - float64(x[1]*x[1])) * x[2] }},
		{"Scale", 1, func(x [][]float64) { Scale(x[0], 0.3) }, func(x []float64) { x[0] *= 0.3 }},
		{"Blend", 2, func(x [][]float64) { Blend(x[0], x[1], 0.005) },
			func(x []float64) { x[0] += float64(0.005 * (x[1] - x[0])) }},
		{"Adam", 4, func(x [][]float64) { adam.Step(x[0], x[1], x[2], x[3]) }, adamOne}, rms(false), rms(true),
	}
}

// TestPasses: every pass gives the bits of one number at a time, and writes nothing beside its
// numbers.
func TestPasses(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range passes() {
		for n := range 70 {
			var room, x, want [][]float64
			for range p.slices {
				all := numbers(r, n+9)
				room, x, want = append(room, all), append(x, all[4:4+n]), append(want, slices.Clone(all))
			}
			for i := range n {
				at := make([]float64, p.slices)
				for k := range at {
					at[k] = want[k][4+i]
				}
				p.one(at)
				for k := range at {
					want[k][4+i] = at[k]
				}
			}
			p.all(x)
			for k := range room {
				if !same(room[k], want[k]) {
					t.Fatalf("%s of %d: slice %d is %v, expected %v", p.name, n, k, room[k], want[k])
				}
			}
		}
	}
}

// TestRows: rows are added in order, with any number of columns.
func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 40 {
		for rows := range 6 {
			x, b := numbers(r, rows*n), numbers(r, n)
			sum, y := slices.Clone(b), slices.Clone(x)
			for i := range rows * n {
				sum[i%n] += x[i]
				y[i] += b[i%n]
			}
			got, dst := append(slices.Clone(x), 7), append(slices.Clone(b), 7)
			AddRows(got[:rows*n], b)
			if SumRows(dst[:n], x); !same(dst, append(sum, 7)) || !same(got, append(y, 7)) {
				t.Fatalf("%d rows of %d: sums %v, expected %v; with a row added %v, expected %v", rows, n, dst, sum,
					got, y)
			}
		}
	}
}

func BenchmarkPasses(b *testing.B) {
	const n = 4096
	r := rand.New(rand.NewPCG(5, 6))
	x := make([][]float64, 4)
	for k := range x {
		x[k] = make([]float64, n)
		for i := range x[k] {
			x[k][i] = r.Float64()
		}
	}
	all := append(passes(), pass{"AddRows", 2, func(x [][]float64) { AddRows(x[0], x[1][:64]) }, nil},
		pass{"SumRows", 2, func(x [][]float64) { SumRows(x[1][:64], x[0]) }, nil})
	for _, p := range all {
		b.Run(p.name, func(b *testing.B) {
			for b.Loop() {
				p.all(x)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/number")
		})
	}
}
