package lcb

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// kernelForm gives mean, deviation and likelihood by the textbook formulas over the values
// (Rasmussen and Williams, algorithm 2.1), with inverses.
func kernelForm(origin, noise float64, xs [][]float64, y, at []float64) (mean, sigma, likely float64) {
	dot := func(a, b []float64) float64 {
		s := origin
		for i := range a {
			s += a[i] * b[i]
		}
		return s
	}
	n := len(y)
	k := mat.NewDense(n, n, nil)
	star := mat.NewVecDense(n, nil)
	for i := range n {
		for j := range n {
			k.Set(i, j, dot(xs[i], xs[j]))
		}
		k.Set(i, i, k.At(i, i)+noise)
		star.SetVec(i, dot(xs[i], at))
	}
	var inv mat.Dense
	if err := inv.Inverse(k); err != nil {
		panic(err)
	}
	v := mat.NewVecDense(n, y)
	mean = mat.Inner(star, &inv, v)
	sigma = math.Sqrt(dot(at, at) - mat.Inner(star, &inv, star))
	logDet, _ := mat.LogDet(k)
	return mean, sigma, -0.5*mat.Inner(v, &inv, v) - 0.5*logDet - 0.5*float64(n)*math.Log(2*math.Pi)
}

// The process equals the textbook formulas over the covariance of all values.
func TestProcessIsTheKernelForm(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for c := range 400 {
		n, d := 1+r.IntN(12), 1+r.IntN(3)
		xs, y := make([][]float64, n), make([]float64, n)
		for i := range xs {
			xs[i] = make([]float64, d)
			for k := range xs[i] {
				xs[i][k] = r.Float64()
			}
			y[i] = r.Float64()
		}
		at := make([]float64, d)
		for k := range at {
			at[k] = r.Float64()
		}
		origin, noise := math.Exp(4*r.Float64()-3), math.Exp(5*r.Float64()-5)
		p, ok := Condition(origin, noise, xs, y)
		if !ok {
			t.Fatalf("case %d is not factorised", c)
		}
		mean, sigma := p.At(at)
		m, s, l := kernelForm(origin, noise, xs, y, at)
		if math.Abs(mean-m) > 1e-8 || math.Abs(sigma-s) > 1e-7 || math.Abs(p.likely-l) > 1e-7*(1+math.Abs(l)) {
			t.Fatalf("case %d: %v, %v, %v, expected %v, %v, %v", c, mean, sigma, p.likely, m, s, l)
		}
	}
}

// One value at x = 1 with s0 = 1 and noise 1: k = 2, K = 3, so that the mean at 1 is 2y/3 and the
// variance 2 - 4/3.
func TestProcessByHand(t *testing.T) {
	p, _ := Condition(1, 1, [][]float64{{1}}, []float64{0.6})
	if m, s := p.At([]float64{1}); math.Abs(m-0.4) > 1e-15 || math.Abs(s-math.Sqrt(2.0/3)) > 1e-15 {
		t.Errorf("mean %v, deviation %v", m, s)
	}
}

func TestGrid(t *testing.T) {
	one := func(task Task) (out []int32) {
		for _, p := range Grid([]Task{task}) {
			out = append(out, p[0])
		}
		return out
	}
	if got := one(Task{Own: 12}); !slices.Equal(got, []int32{8, 10, 12, 14, 16, 18, 20, 22}) {
		t.Errorf("around 12: %v", got) // [8, 24)
	}
	if got := one(Task{Own: 12, Least: 11, Most: 15}); !slices.Equal(got, []int32{11, 13, 15}) {
		t.Errorf("with bounds: %v", got)
	}
	if got := one(Task{Own: 1}); len(got) == 0 || got[0] != 1 {
		t.Errorf("around 1: %v", got)
	}
	for _, own := range []int32{1, 2, 3, 32, 64, 100, 256, 1000, 65536} {
		for n := 1; n <= 5; n++ {
			tasks := slices.Repeat([]Task{{Own: own}}, n)
			grid := Grid(tasks)
			if len(grid) > MostPoints || len(grid) == 0 {
				t.Errorf("%d tasks of %d: %d points", n, own, len(grid))
			}
			for _, p := range grid {
				if lo, hi := tasks[0].bounds(); len(p) != n || slices.Min(p) < lo || slices.Max(p) > hi {
					t.Fatalf("%d tasks of %d: point %v outside [%d, %d]", n, own, p, lo, hi)
				}
			}
		}
	}
	if first := samples([]Task{{Own: 128}}, Grid([]Task{{Own: 128}})); len(first) != 5 {
		t.Errorf("samples around 128 are %v, expected five", first)
	}
}

// run plays a search on a function to its end.
func run(s *Search, f func([]int32) float64) {
	for {
		k, more := s.Next()
		if !more {
			return
		}
		s.Note(k, f(s.Batches(k)))
	}
}

// Where degradation is linear in the batch the search finds the end of the grid that is best, as a
// look at all points does; so it does for two tasks.
func TestSearchFindsTheBestOfLines(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for c := range 200 {
		tasks := []Task{{Own: 8 + 4*r.Int32N(60)}}
		if c%3 == 2 {
			tasks = append(tasks, Task{Own: 8 + 4*r.Int32N(60)})
		}
		slope := make([]float64, len(tasks))
		for i, x := range tasks {
			slope[i] = (2*r.Float64() - 1) / float64(x.Own)
		}
		f := func(b []int32) float64 {
			pd := 3.0
			for i, x := range b {
				pd += slope[i] * float64(x)
			}
			return pd
		}
		s := New(Config{Iterations: 50, Still: 10, Change: 0.01, Lower: true}, tasks)
		run(s, f)
		best := math.Inf(1)
		for _, p := range s.grid {
			best = min(best, f(p))
		}
		k, ok := s.Best()
		spread := 0.0
		for i, x := range tasks {
			spread += math.Abs(slope[i]) * float64(2*x.Own)
		}
		if got := f(s.Batches(k)); !ok || got > best+0.05*spread {
			t.Fatalf("case %d, tasks %v, slopes %v: found %v, the best is %v", c, tasks, slope, got, best)
		}
		if s.Measured() > 55 {
			t.Fatalf("case %d measured %d points", c, s.Measured())
		}
	}
}

// The next point is what the definition states, by a look at all points with the formulas over the
// covariance.
func TestNextIsTheLeastBound(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for c := range 60 {
		s := New(Config{Iterations: 50, Still: 10, Change: 0.01, Lower: c%2 == 0}, []Task{{Own: 16 + 2*r.Int32N(100)}})
		for range 5 + r.IntN(4) {
			if k, more := s.Next(); more {
				s.Note(k, r.Float64())
			}
		}
		if len(s.first) > 0 {
			t.Fatal("samples are left")
		}
		s.iter++
		got := s.choose()
		var xs [][]float64
		for _, k := range s.at {
			xs = append(xs, s.scaled[k])
		}
		y := unit(s.pd)
		best := fit(xs, y)
		top := math.Inf(-1)
		for _, o := range []float64{0.01, 0.1, 1, 10} {
			for _, n := range []float64{1e-4, 1e-3, 1e-2, 0.1, 1} {
				_, _, l := kernelForm(o, n, xs, y, xs[0])
				top = max(top, l)
			}
		}
		if math.Abs(best.likely-top) > 1e-6*(1+math.Abs(top)) {
			t.Fatalf("case %d: likelihood %v, the best is %v", c, best.likely, top)
		}
		bound := func(k int) float64 {
			m, sd, _ := kernelForm(best.Origin, best.Noise, xs, y, s.scaled[k])
			b := m - sd*math.Sqrt(2*math.Log(float64(len(y))))/float64(s.iter)
			if c%2 == 1 {
				b = math.Abs(b)
			}
			return b
		}
		least := math.Inf(1)
		for k := range s.scaled {
			least = min(least, bound(k))
		}
		if bound(got) > least+1e-6 {
			t.Fatalf("case %d: bound %v at the choice, the least is %v", c, bound(got), least)
		}
	}
}

// A search ends after so many changes that are small, and after so many iterations.
func TestSearchEnds(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		most int
	}{{Config{Iterations: 50, Still: 10, Change: 0.01}, 15}, {Config{Iterations: 3, Still: 100, Change: 0}, 8}} {
		s := New(c.cfg, []Task{{Own: 128}})
		n := 0.0
		run(s, func([]int32) float64 { n += 1e-4; return n })
		if s.Measured() > c.most || s.Measured() < 5 {
			t.Errorf("%+v: %d points measured, expected 5 to %d", c.cfg, s.Measured(), c.most)
		}
		twin := s.Clone()
		if a, _ := s.Best(); a != s.at[0] {
			t.Errorf("the best point is %d, expected the first, %d", a, s.at[0])
		}
		if twin.Note(0, -1); s.Measured() == twin.Measured() {
			t.Error("a clone shares its points")
		}
	}
}
