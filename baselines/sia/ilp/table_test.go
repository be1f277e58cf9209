package ilp

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// listed tries all options of jobs j, j-1, ..., 0 in their order, and keeps the first of the least
// cost: the choice that the table is to make.
func (s *Solver) listed(p *Problem, j int, cost int64, left, now []int, least *int64, picks []int) {
	if j < 0 {
		if cost < *least {
			*least = cost
			copy(picks, now)
		}
		return
	}
	per := p.Rules.scale() / tilt
	for o := s.work.First[j]; o < s.work.First[j+1]; o++ {
		c, t, n := s.of[o], 0, 0
		if c != None {
			t, n = p.Configs[c].Type, p.Configs[c].GPUs
		}
		if left[t] < n {
			continue
		}
		left[t] -= n
		now[j] = c
		s.listed(p, j-1, cost+int64(math.Round(s.work.Cost[o]*per)), left, now, least, picks)
		left[t] += n
	}
}

// TestTies: of choices of equal cost the table takes the one in which the jobs that came first are
// served. Rows are few, so that ties are many.
func TestTies(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 21))
		p := &Problem{Rules: Default(), Configs: Configs(nil, 0, 2, 4, 0), Cap: []int{8}}
		held := 0
		for range 7 {
			asks, prev := r.IntN(len(p.Configs)), None
			if n := p.Configs[asks].GPUs; held+n <= 8 && r.IntN(3) == 0 {
				prev, held = asks, held+n
			}
			for c := range p.Configs {
				p.Entries, p.Valid = append(p.Entries, 1), append(p.Valid, c == asks || c+1 == asks && r.IntN(2) == 0)
			}
			p.Prev = append(p.Prev, prev)
		}
		var s Solver
		s.build(p)
		want, got, least := make([]int, 7), make([]int, 7), int64(math.MaxInt64)
		s.listed(p, 6, 0, append([]int(nil), p.Cap...), make([]int, 7), &least, want)
		if !s.table.fits(p) || !s.table.solve(p, &s.work, s.of, got) || !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %v, expected %v", seed, got, want)
		}
	}
}

// TestNarrow: the table makes the same choice with and without the options that the bound bars,
// which are most.
func TestNarrow(t *testing.T) {
	barred, all := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 22))
		rules := Default()
		if r.IntN(3) == 0 {
			rules.Power, rules.Lambda = 0.5, -1.1
		}
		n := 1 + r.IntN(20)
		p := drawn(r, n, [3]int{1 + r.IntN(3), r.IntN(2), 0}, rules)
		var s Solver
		s.build(p)
		s.pick.MaxNodes = 1 + r.IntN(3)
		cost, err := s.pick.Pick(&s.work)
		if err != nil && math.IsInf(cost, 1) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want, got := make([]int, n), make([]int, n)
		if !s.table.fits(p) || !s.table.solve(p, &s.work, s.of, want) {
			t.Fatalf("seed %d: the table has no answer", seed)
		}
		if !s.table.fits(p) || !s.finish(p, cost, got) || !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %v, expected %v", seed, got, want)
		}
		for _, c := range s.work.Cost {
			if all++; math.IsInf(c, 1) {
				barred++
			}
		}
	}
	if barred < all/4 {
		t.Errorf("%d of %d options are barred, expected a quarter at least", barred, all)
	}
}
