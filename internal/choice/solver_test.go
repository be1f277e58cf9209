package choice

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sketch is how random problems look.
type sketch struct {
	groups, rows, options int
	grain                 float64 // numbers are multiples of it, so that ties are many; 0 = none
	tight                 float64 // capacity as a part of what all groups use on average
	twins                 bool    // groups repeat
	signed                bool    // costs below 0, as of benefits
}

// random makes a problem.
func random(r *rand.Rand, k sketch) *Problem {
	number := func(most float64) float64 {
		v := most * r.Float64()
		if k.grain > 0 {
			v = math.Round(v/k.grain) * k.grain
		}
		return v
	}
	var p Problem
	caps := make([]float64, k.rows)
	for i := range caps {
		caps[i] = number(2 * k.tight * float64(k.groups) / float64(k.rows))
	}
	p.Reset(caps)
	for g := range k.groups {
		if g > 0 && k.twins && r.IntN(3) > 0 {
			from := r.IntN(g)
			for o := p.First[from]; o < p.First[from+1]; o++ {
				u := p.Option(p.Cost[o])
				copy(u, p.Use[int(o)*k.rows:])
			}
			p.Close()
			continue
		}
		for range 1 + r.IntN(k.options) {
			c := number(5)
			if k.signed {
				c = -c
			}
			u := p.Option(c)
			for i := range u {
				if r.IntN(2) == 0 {
					u[i] = number(2)
				}
			}
		}
		if r.IntN(2) == 0 {
			p.Option(number(5))
		}
		p.Close()
	}
	return &p
}

// sketches covers sizes, ties and shortages.
func sketches(r *rand.Rand) sketch {
	return sketch{groups: 1 + r.IntN(40), rows: 1 + r.IntN(MaxRows), options: 1 + r.IntN(6),
		grain: []float64{0, 0.25, 1}[r.IntN(3)],
		tight: []float64{0.1, 0.5, 1, 3}[r.IntN(4)], twins: r.IntN(2) == 0, signed: r.IntN(2) == 0}
}

// checkMix checks that weights are a mix within factor times the capacities, and returns its cost.
func checkMix(p *Problem, z []float64, factor float64) (cost float64, err error) {
	k := len(p.Cap)
	used := make([]float64, k)
	for g := range p.Groups() {
		sum := 0.0
		for o := p.First[g]; o < p.First[g+1]; o++ {
			if z[o] < 0 || z[o] > 1+1e-9 {
				return 0, fmt.Errorf("option %d has weight %v", o, z[o])
			}
			sum += z[o]
			if z[o] == 0 {
				continue
			}
			cost += z[o] * p.Cost[o]
			for i := range k {
				used[i] += z[o] * p.Use[int(o)*k+i]
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			return 0, fmt.Errorf("group %d has weights of sum %v", g, sum)
		}
	}
	for i, u := range used {
		if u > factor*p.Cap[i]+1e-9*(1+p.Cap[i]) {
			return 0, fmt.Errorf("row %d: %v used, capacity %v times %v", i, u, p.Cap[i], factor)
		}
	}
	return cost, nil
}

// bound is the least cost that prices prove: every group at its cheapest, capacities paid. Costs
// count or not.
func bound(p *Problem, price []float64, costs, blocked bool) float64 {
	k := len(p.Cap)
	sum := 0.0
	if costs {
		for i, c := range p.Cap {
			sum -= price[i] * c
		}
	}
	for g := range p.Groups() {
		least := math.Inf(1)
	options:
		for o := p.First[g]; o < p.First[g+1]; o++ {
			v := 0.0
			if costs {
				v = p.Cost[o]
			}
			for i := range k {
				u := p.Use[int(o)*k+i]
				if blocked && u > 0 && p.Cap[i] == 0 {
					continue options
				}
				v += price[i] * u
			}
			least = min(least, v)
		}
		sum += least
	}
	return sum
}

// certify solves a problem and proves the answers: the mix is within the capacities and costs what
// the bound states; a problem without a mix has a stretch above 1, which has a proof of its own.
func certify(s *Solver, p *Problem) (string, error) {
	if err := p.Validate(); err != nil {
		return "", err
	}
	z := make([]float64, len(p.Cost))
	t, errStretch := s.Stretch(p)
	if errStretch == nil {
		s.Weights(z)
		if _, err := checkMix(p, z, t); err != nil {
			return "", fmt.Errorf("stretch %v: %w", t, err)
		}
		paid := 0.0
		for i, c := range p.Cap {
			if !(s.Price[i] >= 0) {
				return "", fmt.Errorf("price %v", s.Price[i])
			}
			paid += s.Price[i] * c
		}
		b := bound(p, s.Price, false, true)
		if paid > 1+1e-9 || math.Abs(b-t) > 1e-9*(1e-3+t) || math.Abs(s.Bound-b) > 1e-9*(1e-3+t) {
			return "", fmt.Errorf("stretch %v, bound %v, reported %v, prices of capacity %v", t, b, s.Bound, paid)
		}
	} else if !errors.Is(errStretch, ErrInfeasible) {
		return "", errStretch
	}
	c, err := s.Minimise(p)
	switch {
	case errors.Is(err, ErrInfeasible):
		if errStretch == nil && t <= 1 {
			return "", fmt.Errorf("stretch %v, but no mix", t)
		}
		return "infeasible", nil
	case err != nil:
		return "", err
	case errStretch != nil || t > 1+1e-9:
		return "", fmt.Errorf("stretch %v %v, but a mix of cost %v", t, errStretch, c)
	}
	s.Weights(z)
	cost, err := checkMix(p, z, 1)
	size := 1e-3 + math.Abs(c)
	for _, v := range p.Cost {
		size = max(size, math.Abs(v))
	}
	b := bound(p, s.Price, true, false)
	if err == nil && (math.Abs(cost-c) > 1e-9*size || math.Abs(b-c) > 1e-9*size || math.Abs(s.Bound-c) > 1e-9*size ||
		slices.Min(s.Price) < 0) {
		err = fmt.Errorf("cost %v, of the mix %v, bound %v, reported %v, prices %v", c, cost, b, s.Bound, s.Price)
	}
	return "optimal", err
}

// TestRandom proves answers of random problems, with one solver for all of them, so that starts are
// of all sorts.
func TestRandom(t *testing.T) {
	var s Solver
	count := map[string]int{}
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := random(r, sketches(r))
		how, err := certify(&s, p)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		count[how]++
	}
	if count["optimal"] < 800 || count["infeasible"] < 800 {
		t.Errorf("problems by status %v, expected many of each", count)
	}
}

// TestStartIsRepeated: the same problem and prices give the same bits, whatever was solved before;
// nothing is allocated.
func TestStartIsRepeated(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	a := random(r, sketch{groups: 300, rows: 3, options: 5, tight: 1.5})
	b := random(r, sketch{groups: 400, rows: 3, options: 5, tight: 0.4, grain: 0.5})
	var one, two Solver
	z, y := make([]float64, len(a.Cost)), make([]float64, len(a.Cost))
	_, _ = two.Minimise(b)
	for i := range 4 {
		one.Price, two.Price = append(one.Price[:0], 0, float64(i), 1), append(two.Price[:0], 0, float64(i), 1)
		c, err := one.Minimise(a)
		d, err2 := two.Minimise(a)
		one.Weights(z)
		two.Weights(y)
		if err != nil || err2 != nil || c != d || !slices.Equal(z, y) || !slices.Equal(one.Price, two.Price) {
			t.Fatalf("start %d: %v and %v, errors %v, %v, expected equal bits", i, c, d, err, err2)
		}
		_, _ = two.Stretch(b)
	}
	if n := testing.AllocsPerRun(10, func() { _, _ = one.Minimise(a); _, _ = one.Stretch(b) }); n != 0 {
		t.Errorf("%v allocations a solve, expected none", n)
	}
}
