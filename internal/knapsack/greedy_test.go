package knapsack

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Where each item adds less per weight than the one before, and all weigh alike, the rule is exact.
func TestGreedyConcave(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	var s Solver
	for i := range 500 {
		capacity, unit := r.IntN(30), 1+r.IntN(3)
		s.Open(capacity)
		for range 1 + r.IntN(8) {
			s.Group()
			var gains []float64
			for range r.IntN(6) {
				gains = append(gains, r.Float64())
			}
			slices.Sort(gains)
			sum := 0.0
			for k := range gains {
				sum += gains[len(gains)-1-k]
				s.Item(unit*(k+1), sum)
			}
		}
		greedy, gw := s.Greedy()
		exact, ew := s.Solve()
		if d := greedy - exact; d > 1e-9 || d < -1e-9 || gw != ew {
			t.Fatalf("%d: one by one %v of %d, at best %v of %d", i, greedy, gw, exact, ew)
		}
	}
}

// Otherwise it may be below: 10 for one unit leaves no room for 12 of two.
func TestGreedyFallsShort(t *testing.T) {
	var s Solver
	load(&s, 2, [][]thing{{{1, 10}}, {{2, 12}}})
	if v, w := s.Greedy(); v != 10 || w != 1 || s.Picked(0) != 0 || s.Picked(1) != -1 {
		t.Errorf("one by one %v of %d", v, w)
	}
	if v, w := s.Solve(); v != 12 || w != 2 {
		t.Errorf("at best %v of %d", v, w)
	}
}
