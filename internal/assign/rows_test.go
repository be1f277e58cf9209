package assign

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// proved fails the test unless duals prove the optimum, exactly for whole numbers.
func proved(t *testing.T, p Proof, scale float64) {
	t.Helper()
	if p.Invalid != "" || !(math.Abs(p.Gap) <= scale) || !(p.Violation <= scale) {
		t.Fatalf("gap %v, violation %v, %s; expected at most %v", p.Gap, p.Violation, p.Invalid, scale)
	}
}

// tolerance is 0 for whole numbers, else relative to the largest entry.
func tolerance(xs []float64) float64 {
	most, whole := 1.0, true
	for _, x := range xs {
		if !math.IsInf(x, 0) {
			most, whole = max(most, math.Abs(x)), whole && x == math.Trunc(x)
		}
	}
	if whole {
		return 0
	}
	return most * 1e-12 * float64(1+len(xs))
}

// brute is the least cost of matching the smaller side completely.
func brute(m Matrix) float64 {
	if m.Rows > m.Cols {
		turned := Matrix{Rows: m.Cols, Cols: m.Rows, At: make([]float64, len(m.At))}
		for k, x := range m.At {
			turned.At[k%m.Cols*m.Rows+k/m.Cols] = x
		}
		m = turned
	}
	used := make([]bool, m.Cols)
	var from func(i int) float64
	from = func(i int) float64 {
		if i == m.Rows {
			return 0
		}
		best := math.Inf(1)
		for j := range used {
			if !used[j] && !math.IsInf(m.At[i*m.Cols+j], 1) {
				used[j] = true
				best = min(best, m.At[i*m.Cols+j]+from(i+1))
				used[j] = false
			}
		}
		return best
	}
	return from(0)
}

// checkMin holds Min, and Max of the negated matrix, to brute force (small matrices) and to the
// proof.
func checkMin(t *testing.T, m Matrix) {
	t.Helper()
	tol := tolerance(m.At)
	negated := Matrix{m.Rows, m.Cols, make([]float64, len(m.At))}
	for k, x := range m.At {
		negated.At[k] = -x
	}
	a, err := Min(m)
	b, errMax := Max(negated)
	if (err == nil) != (errMax == nil) {
		t.Fatalf("Min: %v, Max of the negated: %v", err, errMax)
	}
	want := math.NaN()
	if m.Rows <= 6 && m.Cols <= 6 {
		want = brute(m)
	}
	if err != nil {
		checkInfeasible(t, m, err)
		if !math.IsNaN(want) && !math.IsInf(want, 1) {
			t.Fatalf("%v, but an assignment of cost %v exists: %v", err, want, m)
		}
		return
	}
	proved(t, a.Verify(m, false), tol)
	proved(t, b.Verify(negated, true), tol)
	if a.Cost != -b.Cost && math.Abs(a.Cost+b.Cost) > tol {
		t.Fatalf("Min %v, Max of the negated %v", a.Cost, b.Cost)
	}
	if !math.IsNaN(want) && !(math.Abs(a.Cost-want) <= tol) {
		t.Fatalf("cost %v, brute force %v: %v", a.Cost, want, m)
	}
}

// checkInfeasible holds the certificate to Hall's condition.
func checkInfeasible(t *testing.T, m Matrix, err error) {
	t.Helper()
	var e *Infeasible
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	few, many := map[int]bool{}, map[int]bool{}
	for _, j := range e.Few {
		few[j] = true
	}
	for _, i := range e.Many {
		many[i] = true
	}
	if len(many) <= len(few) {
		t.Fatalf("%v is no certificate", e)
	}
	for k, x := range m.At {
		i, j := k/m.Cols, k%m.Cols
		if e.Turned {
			i, j = j, i
		}
		if many[i] && !few[j] && !math.IsInf(x, 1) {
			t.Fatalf("%v: row %d, column %d costs %v: no certificate", e, k/m.Cols, k%m.Cols, x)
		}
	}
}

func randomMatrix(r *rand.Rand, most int) Matrix {
	m := Matrix{Rows: 1 + r.IntN(most), Cols: 1 + r.IntN(most)}
	m.At = make([]float64, m.Rows*m.Cols)
	kind, forbid := r.IntN(4), r.IntN(3)
	for k := range m.At {
		switch kind {
		case 0:
			m.At[k] = float64(r.IntN(4))
		case 1:
			m.At[k] = float64(r.IntN(2001) - 1000)
		case 2:
			m.At[k] = r.NormFloat64()
		default:
			m.At[k] = math.Ldexp(r.Float64(), r.IntN(40)-20)
		}
		if r.IntN(4) < forbid {
			m.At[k] = math.Inf(1)
		}
	}
	return m
}

func TestSmallAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		checkMin(t, randomMatrix(r, 6))
	}
}

func TestLargeIsProved(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		checkMin(t, randomMatrix(r, 70))
	}
}

func TestEmpty(t *testing.T) {
	for _, m := range []Matrix{{}, {Rows: 3}, {Cols: 3}} {
		if a, err := Min(m); err != nil || a.Cost != 0 || len(a.Column) != m.Rows || len(a.Row) != m.Cols {
			t.Errorf("%v: %v, %v", m, a, err)
		}
	}
}

func TestRefusedMatrices(t *testing.T) {
	for _, m := range []Matrix{{1, 1, []float64{math.NaN()}}, {1, 1, []float64{math.Inf(-1)}}, {1, 2, []float64{1}},
		{-1, 1, nil}} {
		if _, err := Min(m); err == nil {
			t.Errorf("%v: no error", m)
		}
	}
	if _, err := Max(Matrix{1, 1, []float64{math.Inf(1)}}); err == nil {
		t.Error("+Inf as a gain: no error")
	}
}

// positions are the costs of jobs at the k-th place from the end of machines: column k*machines +
// i.
type positions struct {
	machines int
	time     []float64 // of job j on machine i: j*machines+i
}

func (p positions) Row(j int, out []float64) {
	for c := range out {
		out[c] = float64(float64(c/p.machines+1) * p.time[j*p.machines+c%p.machines])
	}
}

// Columns that are added when the one before is taken give the same optimum as all columns at once.
func TestGrowingColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var s Solver
	for range 300 {
		jobs, machines := 1+r.IntN(12), 1+r.IntN(4)
		p := positions{machines, make([]float64, jobs*machines)}
		for k := range p.time {
			p.time[k] = float64(1 + r.IntN(9))
		}
		all := Matrix{jobs, jobs * machines, make([]float64, jobs*jobs*machines)}
		for j := range jobs {
			p.Row(j, all.At[j*all.Cols:(j+1)*all.Cols])
		}
		want, err := Min(all)
		if err != nil {
			t.Fatal(err)
		}
		s.Begin(p, machines)
		row := make([]float64, all.Cols)
		columns := machines
		for range jobs {
			c, err := s.Add()
			if err != nil {
				t.Fatal(err)
			}
			if c >= columns-machines { // a layer of places is begun: show the next one
				s.Grow(machines)
				columns += machines
			}
		}
		cost := 0.0
		for j := range s.Rows() {
			p.Row(j, row[:min(columns, len(row))])
			cost += row[s.Column(j)]
			if s.Row(s.Column(j)) != j {
				t.Fatalf("row %d has column %d, which has row %d", j, s.Column(j), s.Row(s.Column(j)))
			}
		}
		if cost != want.Cost {
			t.Fatalf("%d jobs, %d machines: cost %v, expected %v", jobs, machines, cost, want.Cost)
		}
	}
}

// A row that cannot be matched changes nothing.
func TestInfeasibleRowIsLeftOut(t *testing.T) {
	inf := math.Inf(1)
	m := Matrix{3, 2, []float64{1, inf, 2, inf, 5, 7}}
	var s Solver
	s.Begin(m, 2)
	if c, err := s.Add(); c != 0 || err != nil {
		t.Fatal(c, err)
	}
	if c, err := s.Add(); c != -1 || err == nil || s.Rows() != 1 || s.Column(0) != 0 {
		t.Fatal(c, err, s.Rows())
	}
}

func FuzzMin(f *testing.F) {
	f.Add([]byte{2, 3, 1, 2, 3, 4, 5, 6})
	f.Add([]byte{3, 2, 255, 1, 255, 2, 9, 9})
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) < 2 {
			return
		}
		m := Matrix{Rows: int(in[0])%6 + 1, Cols: int(in[1])%6 + 1}
		m.At = make([]float64, m.Rows*m.Cols)
		for k := range m.At {
			x := byte(0)
			if k+2 < len(in) {
				x = in[k+2]
			}
			if m.At[k] = float64(int8(x)); x > 250 {
				m.At[k] = math.Inf(1)
			}
		}
		checkMin(t, m)
	})
}

func BenchmarkMin(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{50, 200, 500} {
		m := Matrix{n, n, make([]float64, n*n)}
		for k := range m.At {
			m.At[k] = r.Float64()
		}
		b.Run(size(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Min(m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// few is a matrix of whole numbers whose rows are 0 in most columns, or +Inf; it gives the others.
type few struct {
	Matrix
	columns []int32
	costs   []float64
	asked   *int
}

func (f *few) Few(i int) ([]int32, []float64, float64) {
	*f.asked++
	f.columns, f.costs = f.columns[:0], f.costs[:0]
	for j, x := range f.At[i*f.Cols : (i+1)*f.Cols] {
		if x < 0 {
			f.columns, f.costs = append(f.columns, int32(j)), append(f.costs, x)
		}
	}
	return f.columns, f.costs, 0
}

// A solver that is given the few cheap columns of a row finds the same assignment and duals.
func TestFewColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 12))
	asked := 0
	for range 400 {
		n := 1 + r.IntN(12)
		m := Matrix{Rows: n, Cols: n + r.IntN(4)}
		for range m.Rows * m.Cols {
			x := 0.0
			switch r.IntN(6) {
			case 0:
				x = -float64(1 + r.IntN(4))
			case 1:
				if r.IntN(4) == 0 {
					x = math.Inf(1)
				}
			}
			m.At = append(m.At, x)
		}
		var a, b Solver
		a.Begin(&few{Matrix: m, asked: &asked}, m.Cols)
		b.Begin(m, m.Cols)
		for i := range m.Rows {
			ja, ea := a.Add()
			jb, eb := b.Add()
			if (ea == nil) != (eb == nil) || ja != jb {
				t.Fatalf("%v: row %d at %d, %v, expected %d, %v", m, i, ja, ea, jb, eb)
			}
			if ea != nil {
				break
			}
			for k := range i + 1 {
				if a.Column(k) != b.Column(k) || a.u[k] != b.u[k] {
					t.Fatalf("%v: row %d at %d for %v, expected %d for %v", m, k, a.Column(k), a.u[k], b.Column(k), b.u[k])
				}
			}
			for k := range a.v {
				if a.v[k] != b.v[k] {
					t.Fatalf("%v: dual %v of column %d, expected %v", m, a.v[k], k, b.v[k])
				}
			}
		}
	}
	if asked < 400 {
		t.Errorf("asked only %d times", asked)
	}
}
