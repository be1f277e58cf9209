package knapsack

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tarry/internal/choice"
)

type thing struct {
	weight int
	value  float64
}

// draw makes a problem with values of a grain, so that there are ties, or without.
func draw(r *rand.Rand, groups, most int) (capacity int, all [][]thing) {
	for range groups {
		var g []thing
		grain := float64(r.IntN(3))
		for range r.IntN(most + 1) {
			value := 10*r.Float64() - 1
			if grain > 0 {
				value = math.Round(value*grain) / grain
			}
			g = append(g, thing{r.IntN(6), value})
		}
		all = append(all, g)
	}
	return r.IntN(1 + 3*groups), all
}

func load(s *Solver, capacity int, all [][]thing) {
	s.Open(capacity)
	for _, g := range all {
		s.Group()
		for _, x := range g {
			s.Item(x.weight, x.value)
		}
	}
}

// enumerate tries all choices: the most value, and the least weight of it.
func enumerate(all [][]thing, capacity int) (value float64, weight int) {
	if len(all) == 0 {
		return 0, 0
	}
	value, weight = enumerate(all[1:], capacity)
	for _, x := range all[0] {
		if x.weight > capacity {
			continue
		}
		v, w := enumerate(all[1:], capacity-x.weight)
		v, w = v+x.value, w+x.weight
		if v > value+1e-9 || v > value-1e-9 && w < weight {
			value, weight = v, w
		}
	}
	return value, weight
}

// The answer is the best of all choices, and the items picked have its value and weight.
func TestEnumerated(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s Solver
	for i := range 3000 {
		capacity, all := draw(r, r.IntN(6), 4)
		load(&s, capacity, all)
		value, weight := s.Solve()
		wantValue, wantWeight := enumerate(all, capacity)
		if math.Abs(value-wantValue) > 1e-9 || weight != wantWeight {
			t.Fatalf("%d: %v of weight %d, expected %v of %d: %d %v", i, value, weight, wantValue, wantWeight, capacity, all)
		}
		v, w := 0.0, 0
		for g := range all {
			if at := s.Picked(g); at >= 0 {
				v, w = v+all[g][at].value, w+all[g][at].weight
			}
		}
		if math.Abs(v-value) > 1e-9 || w != weight {
			t.Fatalf("%d: the items picked have %v of %d, the answer is %v of %d", i, v, w, value, weight)
		}
	}
}

// Larger problems have the value that branch and bound over linear problems finds.
func TestBranchAndBound(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var s Solver
	var pick choice.Solver
	for i := range 60 {
		capacity, all := draw(r, 5+r.IntN(15), 6)
		load(&s, capacity, all)
		value, _ := s.Solve()
		var p choice.Problem
		p.Reset([]float64{float64(capacity)})
		for _, g := range all {
			p.Option(0)
			for _, x := range g {
				p.Option(-x.value)[0] = float64(x.weight)
			}
			p.Close()
		}
		cost, err := pick.Pick(&p)
		if err != nil || math.Abs(value+cost) > 1e-6 {
			t.Fatalf("%d: %v, branch and bound %v (%v)", i, value, -cost, err)
		}
	}
}

func TestEdges(t *testing.T) {
	var s Solver
	if v, w := s.solveOf(-3, [][]thing{{{0, 2}, {1, 9}}, {}, {{0, -1}}}); v != 2 || w != 0 {
		t.Errorf("without capacity: %v of %d, expected 2 of 0", v, w)
	}
	if s.Picked(0) != 0 || s.Picked(1) != -1 || s.Picked(2) != -1 {
		t.Errorf("picked %d %d %d, expected 0 -1 -1", s.Picked(0), s.Picked(1), s.Picked(2))
	}
	if v, w := s.solveOf(5, nil); v != 0 || w != 0 {
		t.Errorf("no groups: %v of %d", v, w)
	}
	// .1 + .2 is more than .3 by its last bit: of these the lighter is taken.
	if _, w := s.solveOf(4, [][]thing{{{2, 0.1}}, {{2, 0.2}, {3, 0.3}}}); w != 3 {
		t.Errorf("the weight is %d, expected 3", w)
	}
	all := [][]thing{{{1, 1}}, {{2, 2}}}
	if n := testing.AllocsPerRun(10, func() { s.solveOf(5, all) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func (s *Solver) solveOf(capacity int, all [][]thing) (float64, int) {
	load(s, capacity, all)
	return s.Solve()
}

func BenchmarkSolve(b *testing.B) {
	for _, n := range []int{64, 512, 2048} {
		r := rand.New(rand.NewPCG(uint64(n), 5))
		b.Run(fmt.Sprintf("gpus=%d", n), func(b *testing.B) {
			var s Solver
			for b.Loop() {
				s.Open(n / 2)
				for range n / 2 {
					s.Group()
					for k := range 7 {
						s.Item(k+1, 100*r.Float64())
					}
				}
				s.Solve()
			}
		})
	}
}
