package fairness

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// two jobs on one GPU of each of two types: the first is fast on type 0, the second on type 1.
func opposites() *Sharing {
	return &Sharing{Throughput: [][]float64{{4, 1}, {1, 4}}, GPUs: []float64{1, 1}}
}

func TestByHand(t *testing.T) {
	s := opposites()
	best, worst, half := [][]float64{{1, 0}, {0, 1}}, [][]float64{{0, 1}, {1, 0}}, s.Isolated()
	if half[0][0] != 0.5 || half[1][1] != 0.5 {
		t.Fatalf("isolated is %v, expected halves", half)
	}
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"best feasible", s.Feasible(best, 0), ""},
		{"best shares", s.SharingIncentive(best, half, 1e-9), ""},
		{"best envies", s.EnvyFree(best, 1e-9), ""},
		{"best pareto", s.Pareto(best, 1e-6), ""},
		{"worst shares", s.SharingIncentive(worst, half, 1e-9), "sharing incentive: job 0 does 1, alone 2.5"},
		{"worst envies", s.EnvyFree(worst, 1e-9), "envy: job 0 does 1, with the GPUs of job 1 it would do 4"},
		{"worst pareto", s.Pareto(worst, 1e-6), "pareto: another allocation gains 1.5"},
		{"half pareto", s.Pareto(half, 1e-6), "pareto: another allocation gains 0.75"},
		{"too much", s.Feasible([][]float64{{1, 0}, {1, 0}}, 0), "2 GPUs of type 0 are in use, there are 1"},
		{"too long", s.Feasible([][]float64{{1, 0.5}, {0, 0}}, 0), "job 0 has 1.5 of its time in all"},
		{"below zero", s.Feasible([][]float64{{-1, 0.5}, {0, 0}}, 0), "job 0 has -1 of its time on type 0"},
		{"more than all", s.Pareto([][]float64{{1, 1}, {1, 1}}, 0), "pareto: no allocation does what this one does"},
		{"within", Within([]float64{10, 21}, []float64{1, 2}, 1), ""},
		{"without", Within([]float64{10, 24}, []float64{1, 2}, 1), "share: 0 has got 10"},
	} {
		if c.want == "" && c.err != nil || c.want != "" && (c.err == nil || !strings.HasPrefix(c.err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.name, c.err, c.want)
		}
	}
}

// Gangs and weights: a job of two GPUs and twice the weight has a right to what two jobs of one
// have.
func TestGangsAndWeights(t *testing.T) {
	s := &Sharing{Throughput: [][]float64{{2}, {1}, {1}}, GPUs: []float64{2}, Gang: []float64{2, 1, 1},
		Weight: []float64{2, 1, 1}}
	x := s.Isolated()
	for j, want := range []float64{0.5, 0.5, 0.5} {
		if math.Abs(x[j][0]-want) > 1e-12 {
			t.Errorf("job %d has %v, want %v", j, x[j][0], want)
		}
	}
	for _, err := range []error{s.Feasible(x, 1e-12), s.EnvyFree(x, 1e-9), s.Pareto(x, 1e-6),
		s.SharingIncentive(x, s.Alone(), 1e-9)} {
		if err != nil {
			t.Error(err)
		}
	}
}

// Alone uses the fastest of what a job owns, Isolated all of it in proportion.
func TestAlone(t *testing.T) {
	s := &Sharing{Throughput: [][]float64{{1, 3}}, GPUs: []float64{4, 0.75}}
	if got, want := s.Utility(0, s.Alone()[0]), 0.75*3+0.25; got != want {
		t.Errorf("alone it does %v, want %v", got, want)
	}
	if got := s.Utility(0, s.Isolated()[0]); got >= 2.5 {
		t.Errorf("isolated it does %v, as much as the best", got)
	}
}

// Serving by report is not strategy-proof: the job that states more gets all.
func TestStrategy(t *testing.T) {
	greedy := func(s *Sharing) [][]float64 {
		x := [][]float64{{0}, {0}}
		if s.Throughput[0][0] >= s.Throughput[1][0] {
			x[0][0] = 1
		} else {
			x[1][0] = 1
		}
		return x
	}
	s := &Sharing{Throughput: [][]float64{{2}, {1}}, GPUs: []float64{1}}
	if err := s.StrategyProof(greedy, 1, []float64{3}, 1e-9); err == nil {
		t.Error("a lie pays and goes unseen")
	}
	if err := s.StrategyProof(func(s *Sharing) [][]float64 { return s.Isolated() }, 1, []float64{3}, 1e-9); err != nil {
		t.Error(err)
	}
}

// The solver against all vertices of small programmes: every choice of n tight constraints, solved
// by elimination.
func TestSimplexAgainstVertices(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	seen := 0
	for range 400 {
		n := 1 + r.IntN(3)
		var p programme
		for range n {
			p.c = append(p.c, float64(r.IntN(9)-3))
		}
		for k := range n { // a box bounds it
			row := make([]float64, n)
			row[k] = 1
			p.add(row, float64(1+r.IntN(5)))
		}
		for range r.IntN(4) {
			row := make([]float64, n)
			for k := range row {
				row[k] = float64(r.IntN(7) - 3)
			}
			p.add(row, float64(r.IntN(9)-4))
		}
		want, feasible := vertices(&p)
		got, ok := p.maximum()
		if ok != feasible || ok && math.Abs(got-want) > 1e-7 {
			t.Fatalf("%+v: maximum %v (%v), by vertices %v (%v)", p, got, ok, want, feasible)
		}
		if ok {
			seen++
		}
	}
	if seen < 100 {
		t.Errorf("only %d programmes had a solution", seen)
	}
}

// vertices is the maximum over all basic points.
func vertices(p *programme) (best float64, ok bool) {
	n := len(p.c)
	rows, b := append([][]float64(nil), p.rows...), append([]float64(nil), p.b...)
	for k := range n { // -x <= 0
		row := make([]float64, n)
		row[k] = -1
		rows, b = append(rows, row), append(b, 0)
	}
	best = math.Inf(-1)
	for set := range 1 << len(rows) {
		var pick []int
		for i := range rows {
			if set&(1<<i) != 0 {
				pick = append(pick, i)
			}
		}
		if len(pick) != n {
			continue
		}
		if x := solve(rows, b, pick); x != nil && holds(rows, b, x) {
			best, ok = math.Max(best, dot(p.c, x)), true
		}
	}
	return best, ok
}

func dot(a, b []float64) (s float64) {
	for i := range a {
		s += float64(a[i] * b[i])
	}
	return s
}

func holds(rows [][]float64, b, x []float64) bool {
	for i, row := range rows {
		if dot(row, x) > b[i]+1e-9 {
			return false
		}
	}
	return true
}

// solve is Gauss-Jordan; nil when singular.
func solve(rows [][]float64, b []float64, pick []int) []float64 {
	n := len(pick)
	m := make([][]float64, n)
	for i, p := range pick {
		m[i] = append(append([]float64(nil), rows[p]...), b[p])
	}
	for k := range n {
		p := k
		for i := k; i < n; i++ {
			if math.Abs(m[i][k]) > math.Abs(m[p][k]) {
				p = i
			}
		}
		if math.Abs(m[p][k]) < 1e-12 {
			return nil
		}
		m[k], m[p] = m[p], m[k]
		for i := range n {
			if f := m[i][k] / m[k][k]; i != k && f != 0 {
				subtract(m[i], m[k], f)
			}
		}
	}
	x := make([]float64, n)
	for i := range n {
		x[i] = m[i][n] / m[i][i]
	}
	return x
}

// What Pareto states against a search over a grid of allocations: a betterment found by the grid is
// found by it, and equal shares over one type are always efficient.
func TestParetoAgainstGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	found := 0
	for range 60 {
		s := &Sharing{Throughput: [][]float64{{1 + r.Float64(), r.Float64()}, {1 + r.Float64(), r.Float64()}},
			GPUs: []float64{1, 1}}
		x := [][]float64{{r.Float64() / 2, r.Float64() / 2}, {r.Float64() / 2, r.Float64() / 2}}
		if grid(s, x) {
			found++
			if s.Pareto(x, 1e-6) == nil {
				t.Fatalf("%+v: the grid betters %v, the programme does not", s, x)
			}
		}
		one := &Sharing{Throughput: [][]float64{{1 + r.Float64()}, {2}, {3}}, GPUs: []float64{2}}
		if err := one.Pareto(one.Isolated(), 1e-6); err != nil {
			t.Fatal(err)
		}
	}
	if found == 0 {
		t.Error("the grid betters nothing")
	}
}

// grid looks for a better allocation among multiples of 1/12.
func grid(s *Sharing, x [][]float64) bool {
	const step = 12
	u0, u1 := s.Utility(0, x[0])*(1+1e-6), s.Utility(1, x[1])*(1+1e-6)
	for a := range step + 1 {
		for b := range step + 1 - a {
			for c := range step + 1 - a {
				for d := range step + 1 - max(b, c) {
					y := [][]float64{{float64(a) / step, float64(b) / step}, {float64(c) / step, float64(d) / step}}
					if s.Utility(0, y[0]) > u0 && s.Utility(1, y[1]) > u1 && s.Feasible(y, 1e-12) == nil {
						return true
					}
				}
			}
		}
	}
	return false
}
