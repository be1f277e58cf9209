package lp

import (
	"math"
	"math/rand/v2"
	"testing"
)

var inf = math.Inf(1)

// solved solves and holds the solution to its proof.
func solved(t *testing.T, p *Problem, start Basis) Solution {
	t.Helper()
	var s Solver
	r, err := s.Solve(p, start)
	if err != nil {
		t.Fatal(err)
	}
	if r.Status == Stopped {
		t.Fatalf("stopped after %d iterations of %d rows, %d columns", r.Iterations, p.Rows(), p.Columns())
	}
	if f := r.Verify(p); !(f.Most() <= 1e-7) {
		t.Fatalf("%v after %d iterations: %+v", r.Status, r.Iterations, f)
	}
	return r
}

func example() *Problem {
	p := &Problem{Maximise: true}
	a, b := p.AddRow(-inf, 4), p.AddRow(-inf, 9)
	p.AddColumn(3, 0, 3, Entry{a, 1}, Entry{b, 1})
	p.AddColumn(2, 0, inf, Entry{a, 1}, Entry{b, 3})
	return p
}

func TestExample(t *testing.T) {
	p := example()
	r := solved(t, p, Basis{})
	if r.Status != Optimal || r.Objective != 11 || r.X[0] != 3 || r.X[1] != 1 || r.Dual[0] != 2 || r.Dual[1] != 0 ||
		r.Reduced[0] != 1 {
		t.Errorf("%+v", r)
	}
	p.SetRow(0, -inf, 5)
	if again := solved(t, p, r.Basis); again.Objective != 13 || again.X[1] != 2 || again.Iterations != 0 {
		t.Errorf("%+v", again)
	}
}

// random draws a problem of up to some rows and columns; kind by kind of bounds and coefficients.
func random(r *rand.Rand, rows, columns int) *Problem {
	p := &Problem{Maximise: r.IntN(2) == 0}
	number := func() float64 { return float64(r.IntN(11) - 5) }
	if r.IntN(2) == 0 {
		number = func() float64 { return r.NormFloat64() * math.Ldexp(1, r.IntN(8)) }
	}
	bounds := func(free int) (float64, float64) {
		a, b := number(), number()
		switch k := r.IntN(10); {
		case k < free:
			return -inf, inf
		case k < 5:
			return 0, math.Abs(b)
		case k < 6:
			return a, a
		case k < 7:
			return a, inf
		case k < 8:
			return -inf, b
		}
		return min(a, b), max(a, b)
	}
	dense := 0.2 + 0.8*r.Float64()
	m := r.IntN(rows + 1)
	for range m {
		p.AddRow(bounds(1))
	}
	for range 1 + r.IntN(columns) {
		lo, hi := bounds(r.IntN(2))
		var entries []Entry
		for i := range m {
			if r.Float64() < dense {
				entries = append(entries, Entry{i, number()})
			}
		}
		p.AddColumn(number(), lo, hi, entries...)
	}
	return p
}

// vertices is the best objective among all basic feasible points; ok = there is one.
func vertices(p *Problem) (best float64, ok bool) {
	m, n := p.Rows(), p.Columns()
	lo, hi := append(append([]float64{}, p.lower...), p.rowLower...),
		append(append([]float64{}, p.upper...), p.rowUpper...)
	dense := make([][]float64, m) // A x - activity = 0
	for i := range dense {
		dense[i] = make([]float64, n+m)
		dense[i][n+i] = -1
	}
	for j := range n {
		for _, e := range p.column(j) {
			dense[e.Row][j] = e.Value
		}
	}
	x := make([]float64, n+m)
	at := make([]int, n+m) // 0 = basic, 1 = lower, 2 = upper or 0 when free
	var choose func(j, basics int)
	choose = func(j, basics int) {
		if j == n+m {
			if basics != m || !basic(dense, at, x) {
				return
			}
			sum := 0.0
			for k := range x {
				if x[k] < lo[k]-1e-7 || x[k] > hi[k]+1e-7 {
					return
				}
				if k < n {
					sum += p.cost[k] * x[k]
				}
			}
			if !ok || (sum > best) == p.Maximise {
				best, ok = sum, true
			}
			return
		}
		if basics < m {
			at[j] = 0
			choose(j+1, basics+1)
		}
		for k, b := range []float64{lo[j], hi[j]} {
			if !math.IsInf(b, 0) {
				at[j], x[j] = 1+k, b
				choose(j+1, basics)
			}
		}
		if math.IsInf(lo[j], -1) && math.IsInf(hi[j], 1) {
			at[j], x[j] = 1, 0
			choose(j+1, basics)
		}
	}
	choose(0, 0)
	return best, ok
}

// basic solves for the basic columns by elimination; false = they depend on one another.
func basic(dense [][]float64, at []int, x []float64) bool {
	m := len(dense)
	var columns []int
	for j, a := range at {
		if a == 0 {
			columns = append(columns, j)
		}
	}
	a := make([][]float64, m)
	for i := range a {
		a[i] = make([]float64, m+1)
		for k, j := range columns {
			a[i][k] = dense[i][j]
		}
		for j := range at {
			if at[j] != 0 {
				a[i][m] -= dense[i][j] * x[j]
			}
		}
	}
	for k := range m {
		p := k
		for i := k; i < m; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[p][k]) {
				p = i
			}
		}
		if a[k], a[p] = a[p], a[k]; math.Abs(a[k][k]) < 1e-9 {
			return false
		}
		for i := range m {
			if f := a[i][k] / a[k][k]; i != k {
				for c := k; c <= m; c++ {
					a[i][c] -= f * a[k][c]
				}
			}
		}
	}
	for k, j := range columns {
		x[j] = a[k][m] / a[k][k]
	}
	return true
}

func TestSmallAgainstVertices(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	count := map[Status]int{}
	for k := range 4000 {
		p := random(r, 3, 4)
		got := solved(t, p, Basis{})
		count[got.Status]++
		want, ok := vertices(p)
		if got.Status == Optimal && (!ok || math.Abs(got.Objective-want) > 1e-6*(1+math.Abs(want))) ||
			got.Status == Infeasible && ok || got.Status == Unbounded && !ok {
			t.Fatalf("%d: %v %v, vertices %v %v", k, got.Status, got.Objective, want, ok)
		}
	}
	t.Log(count)
	if count[Optimal] < 500 || count[Infeasible] < 500 || count[Unbounded] < 100 {
		t.Errorf("%v: one kind is hardly tested", count)
	}
}

func TestLargerAreProved(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	count := map[Status]int{}
	for range 400 {
		p := random(r, 60, 120)
		got := solved(t, p, Basis{})
		count[got.Status]++
		if again := solved(t, p, got.Basis); got.Status == Optimal && again.Iterations > 0 {
			t.Fatalf("%d iterations from the optimal basis", again.Iterations)
		}
	}
	t.Log(count)
}
