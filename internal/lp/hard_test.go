package lp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"
	gonum "gonum.org/v1/gonum/optimize/convex/lp"
)

// Problems in standard form have the optimum that gonum finds, where it finds one.
func TestAgainstGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	agree := 0
	for range 300 {
		m := 1 + r.IntN(12)
		n := m + 1 + r.IntN(12)
		a := mat.NewDense(m, n, nil)
		c, b := make([]float64, n), make([]float64, m)
		p := &Problem{}
		for j := range n {
			c[j] = r.NormFloat64() + 1
			x := max(r.NormFloat64(), 0)
			var entries []Entry
			for i := range m {
				v := r.NormFloat64()
				a.Set(i, j, v)
				b[i] += v * x
				entries = append(entries, Entry{i, v})
			}
			p.AddColumn(c[j], 0, inf, entries...)
		}
		for i := range m {
			p.AddRow(b[i], b[i])
		}
		got := solved(t, p, Basis{})
		want, _, err := gonum.Simplex(c, a, b, 1e-10, nil)
		switch {
		case err == gonum.ErrUnbounded && got.Status != Unbounded, err == nil &&
			(got.Status != Optimal || math.Abs(got.Objective-want) > 1e-7*(1+math.Abs(want))):
			t.Fatalf("%v %v, gonum %v %v", got.Status, got.Objective, want, err)
		case err == nil || err == gonum.ErrUnbounded:
			agree++
		}
	}
	if agree < 250 {
		t.Errorf("gonum solved %d of 300", agree)
	}
}

// Known examples of cycles under Dantzig's rule: Beale 1955, and Marshall and Suurballe 1969.
func TestCycles(t *testing.T) {
	for name, c := range map[string]struct {
		cost []float64
		rows [][]float64
		rhs  []float64
		want float64
	}{
		"Beale": {[]float64{-0.75, 20, -0.5, 6},
			[][]float64{{0.25, -8, -1, 9}, {0.5, -12, -0.5, 3}, {0, 0, 1, 0}}, []float64{0, 0, 1}, -1.25},
		"Marshall-Suurballe": {[]float64{-10, 57, 9, 24}, [][]float64{{0.5, -5.5, -2.5, 9}, {0.5, -1.5, -0.5, 1},
			{1, 0, 0, 0}}, []float64{0, 0, 1}, -1},
	} {
		for _, stalled := range []int{0, 1 << 20} { // by Bland's rule from the first step, too
			p := &Problem{}
			for _, b := range c.rhs {
				p.AddRow(-inf, b)
			}
			for j, cost := range c.cost {
				var entries []Entry
				for i := range c.rows {
					entries = append(entries, Entry{i, c.rows[i][j]})
				}
				p.AddColumn(cost, 0, inf, entries...)
			}
			var s solver
			s.load(p)
			s.begin(Basis{})
			s.stalled = stalled
			status, q := s.run(1000)
			if r := s.solution(p, status, q); status != Optimal || math.Abs(r.Objective-c.want) > 1e-12 ||
				r.Verify(p).Most() > 1e-12 {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
}

// Klee and Minty's cube takes Dantzig's rule 2^n steps.
func TestKleeMinty(t *testing.T) {
	const n = 12
	p := &Problem{Maximise: true}
	for i := range n {
		p.AddRow(-inf, math.Ldexp(1, 2*i))
	}
	for j := range n {
		entries := []Entry{{j, 1}}
		for i := j + 1; i < n; i++ {
			entries = append(entries, Entry{i, math.Ldexp(1, i-j+1)})
		}
		p.AddColumn(math.Ldexp(1, n-1-j), 0, inf, entries...)
	}
	if r := solved(t, p, Basis{}); r.Objective != math.Ldexp(1, 2*n-2) {
		t.Errorf("%v after %d iterations", r.Objective, r.Iterations)
	}
}

// Transport with equal supplies and demands is degenerate at every vertex; its optimum is a whole
// number.
func TestDegenerateTransport(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{5, 20, 40} {
		p := &Problem{}
		for range 2 * n {
			p.AddRow(1, 1)
		}
		for i := range n {
			for j := range n {
				p.AddColumn(float64(r.IntN(5)), 0, inf, Entry{i, 1}, Entry{n + j, 1})
			}
		}
		if got := solved(t, p, Basis{}); got.Status != Optimal ||
			math.Abs(got.Objective-math.Round(got.Objective)) > 1e-9 {
			t.Errorf("%v %v", got.Status, got.Objective)
		}
	}
}

// A basis of one problem starts another: with other bounds, more rows, more columns, or one that is
// nonsense.
func TestWarmStarts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	cold, warm := 0, 0
	for range 60 {
		p := maxMin(r, 40, 3)
		first := solved(t, p, Basis{})
		for k := range 3 {
			p.SetRow(k, -inf, p.rowUpper[k]+1)
		}
		a, b := solved(t, p, Basis{}), solved(t, p, first.Basis)
		if math.Abs(a.Objective-b.Objective) > 1e-9*a.Objective {
			t.Fatalf("%v from nothing, %v from a basis", a.Objective, b.Objective)
		}
		cold, warm = cold+a.Iterations, warm+b.Iterations
		p.AddColumn(0.1, 0, 1, Entry{p.AddRow(-inf, 0.5), 1}, Entry{0, 0.1})
		c := solved(t, p, first.Basis)
		for k := range first.Basis.Columns {
			first.Basis.Columns[k] = Place(r.IntN(4))
		}
		for k := range first.Basis.Rows {
			first.Basis.Rows[k] = Place(r.IntN(4))
		}
		if d := solved(t, p, first.Basis); math.Abs(c.Objective-d.Objective) > 1e-9*c.Objective {
			t.Fatalf("%v and %v", c.Objective, d.Objective)
		}
	}
	if 3*warm > cold {
		t.Errorf("%d iterations from bases, %d from nothing", warm, cold)
	}
}

// maxMin is a problem of jobs on types of GPUs: the largest level that all jobs reach.
func maxMin(r *rand.Rand, jobs, types int) *Problem {
	p := &Problem{Maximise: true}
	for range types {
		p.AddRow(-inf, float64(1+jobs/4))
	}
	var all []Entry
	for range jobs {
		row, sum, scale := p.AddRow(0, inf), p.AddRow(-inf, 1), float64(int(1)<<r.IntN(3))
		for j := range types {
			p.AddColumn(0, 0, inf, Entry{row, 0.1 + r.Float64()}, Entry{sum, 1}, Entry{j, scale})
		}
		all = append(all, Entry{row, -1})
	}
	p.AddColumn(1, 0, inf, all...)
	return p
}

// The same problem gives the same bits, whatever the solver solved before.
func TestSolverForgets(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var used Solver
	for range 100 {
		p := random(r, 20, 30)
		var fresh Solver
		a, err1 := used.Solve(p, Basis{})
		b, err2 := fresh.Solve(p, Basis{})
		if err1 != nil || err2 != nil || fmt.Sprint(a) != fmt.Sprint(b) || a.Status == Optimal &&
			!reflect.DeepEqual(a, b) {
			t.Fatalf("%v %v\n%v %v", a, err1, b, err2)
		}
	}
}

func TestRefused(t *testing.T) {
	for want, make := range map[string]func(p *Problem){
		"lp: row 0 has bounds 1 and 0, expected two numbers in order": func(p *Problem) { p.AddRow(1, 0) },
		"lp: row 0 has bounds NaN and 0, expected two numbers in order": func(p *Problem) {
			p.AddRow(math.NaN(),
				0)
		},
		"lp: column 0 has bounds +Inf and +Inf, expected two numbers in order": func(p *Problem) {
			p.AddColumn(0, inf,
				inf)
		},
		"lp: column 0 has cost +Inf, expected a number": func(p *Problem) {
			p.AddColumn(inf, 0,
				1)
		},
		"lp: column 0 has row 2, expected each of 0..0 at most once": func(p *Problem) {
			p.AddRow(0,
				1)
			p.AddColumn(0, 0, 1, Entry{2, 1})
		},
		"lp: column 0 has row 0, expected each of 0..0 at most once": func(p *Problem) {
			p.AddRow(0,
				1)
			p.AddColumn(0, 0, 1, Entry{0, 1}, Entry{0, 1})
		},
		"lp: column 0, row 0 has coefficient NaN, expected a number": func(p *Problem) {
			p.AddRow(0,
				1)
			p.AddColumn(0, 0, 1, Entry{0, math.NaN()})
		},
	} {
		p := &Problem{}
		make(p)
		if _, err := new(Solver).Solve(p, Basis{}); err == nil || err.Error() != want {
			t.Errorf("%v, expected %s", err, want)
		}
	}
}

func TestNothing(t *testing.T) {
	p := &Problem{}
	if r := solved(t, p, Basis{}); r.Status != Optimal || r.Objective != 0 {
		t.Errorf("%+v", r)
	}
	p.AddRow(1, inf)
	if r := solved(t, p, Basis{}); r.Status != Infeasible {
		t.Errorf("%+v", r)
	}
	p.Reset()
	p.AddColumn(-1, 0, inf)
	if r := solved(t, p, Basis{}); r.Status != Unbounded {
		t.Errorf("%+v", r)
	}
}

func TestStops(t *testing.T) {
	s := Solver{Limit: 3}
	if r, err := s.Solve(maxMin(rand.New(rand.NewPCG(7, 7)), 20, 3), Basis{}); err != nil || r.Status != Stopped ||
		r.Iterations != 3 {
		t.Errorf("%+v, %v", r, err)
	}
}

func FuzzSolve(f *testing.F) {
	f.Add([]byte{2, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
	f.Fuzz(func(t *testing.T, in []byte) {
		next := func() float64 {
			if len(in) == 0 {
				return 0
			}
			x := int8(in[0])
			in = in[1:]
			return float64(x) / 8
		}
		bounds := func() (float64, float64) {
			a, b := next(), next()
			switch {
			case a < -14:
				return -inf, b
			case b > 14:
				return a, inf
			case a > 14:
				return -inf, inf
			}
			return min(a, b), max(a, b)
		}
		p := &Problem{Maximise: next() > 0}
		m, n := int(math.Abs(next()))%4, int(math.Abs(next()))%4+1
		for range m {
			p.AddRow(bounds())
		}
		for range n {
			var entries []Entry
			for i := range m {
				entries = append(entries, Entry{i, next()})
			}
			lo, hi := bounds()
			p.AddColumn(next(), lo, hi, entries...)
		}
		got := solved(t, p, Basis{})
		if want, ok := vertices(p); got.Status == Optimal &&
			(!ok || math.Abs(got.Objective-want) > 1e-5*(1+math.Abs(want))) {
			t.Fatalf("%v %v, vertices %v %v", got.Status, got.Objective, want, ok)
		}
	})
}

// BenchmarkMaxMin: three types of GPUs; two rows a job. Warm: after one job's bound has moved.
func BenchmarkMaxMin(b *testing.B) {
	for _, rows := range []int{50, 200, 500, 1000, 2000} {
		p := maxMin(rand.New(rand.NewPCG(8, 8)), rows/2, 3)
		for _, warm := range []bool{false, true} {
			b.Run(fmt.Sprintf("rows=%d/warm=%v", rows, warm), func(b *testing.B) {
				var s Solver
				last, err := s.Solve(p, Basis{})
				if err != nil {
					b.Fatal(err)
				}
				start := Basis{}
				if warm {
					start = last.Basis
				}
				total, k := 0, 0
				for b.Loop() {
					p.SetRow(0, -inf, float64(1+rows/8+k%2))
					r, err := s.Solve(p, start)
					if err != nil || r.Status != Optimal {
						b.Fatal(r.Status, err)
					}
					if warm {
						start = r.Basis
					}
					total += r.Iterations
					k++
				}
				b.ReportMetric(float64(total)/float64(k), "iterations")
			})
		}
	}
}
