package layout

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/sim/mig"
)

// drawn are random values of n jobs: some cannot be in small instances, some pairs cannot be.
type drawn struct {
	alone [MaxJobs][8]float64
	pair  [MaxJobs][MaxJobs][8]float64
}

func draw(r *rand.Rand, n, profiles int) (*drawn, *Values) {
	d := &drawn{}
	for i := range n {
		least := r.IntN(profiles + 2)
		for p := range profiles {
			d.alone[i][p] = r.Float64() // not even rising with the size
			if p < least && r.IntN(8) > 0 {
				d.alone[i][p] = []float64{-1, math.NaN()}[r.IntN(2)]
			}
			for k := range i {
				if d.pair[k][i][p] = 2 * r.Float64(); r.IntN(2) == 0 {
					d.pair[k][i][p] = -1
				}
			}
		}
	}
	v := &Values{Jobs: n, Alone: func(i, p int) float64 { return d.alone[i][p] }}
	if r.IntN(4) > 0 {
		v.Pair = func(i, k, p int) float64 { return d.pair[i][k][p] }
	}
	return d, v
}

// brute is the greatest value of jobs over all legal sets of placements and all ways to give each
// job one of them, alone or with one other.
func brute(dev *mig.Device, v *Values) float64 {
	best := none
	var at [MaxJobs]int
	var try func(i int, set mig.Set)
	try = func(i int, set mig.Set) {
		if i == v.Jobs {
			if x := worth(dev, v, at[:i]); x > best {
				best = x
			}
			return
		}
		for p := range dev.Placements {
			if set.Has(p) || dev.Fits(set, p) {
				at[i] = p
				try(i+1, set.With(p))
			}
		}
	}
	try(0, 0)
	return best
}

// worth is the value of jobs at placements, none where more than two are at one or one of them
// cannot be there.
func worth(dev *mig.Device, v *Values, at []int) float64 {
	total := 0.0
	for i, p := range at {
		mates, mate := 0, -1
		for k, q := range at {
			if k != i && q == p {
				mates, mate = mates+1, k
			}
		}
		x := none
		switch profile := dev.Placements[p].Profile; {
		case mates == 0:
			x = v.Alone(i, profile)
		case mates == 1 && v.Pair == nil, mates > 1:
		case mate < i:
			continue // counted with the other
		default:
			x = v.Pair(i, mate, profile)
		}
		if !(x >= 0) {
			return none
		}
		total += x
	}
	return total
}

// TestBestBruteForce: the best worth equals a search's of all placements of all jobs, and the
// groups have it.
func TestBestBruteForce(t *testing.T) {
	dev, err := mig.Named("a100-40gb")
	if err != nil {
		t.Fatal(err)
	}
	s, w := NewShapes(dev), &Solver{}
	none, some := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(3)
		if seed%20 == 0 {
			n = 4
		}
		_, v := draw(r, n, len(dev.Profiles))
		groups, got, ok := s.Best(w, v, nil)
		want := brute(dev, v)
		if !ok {
			none++
			if want >= 0 {
				t.Fatalf("seed %d: no choice of %d jobs, expected one of %v", seed, n, want)
			}
			continue
		}
		some++
		if math.Abs(got-want) > 1e-12 {
			t.Fatalf("seed %d: %d jobs are worth %v, expected %v", seed, n, got, want)
		}
		now, weight, place := make([]int, n), make([]float64, n), make([]int, len(groups))
		for i := range now {
			now[i], weight[i] = r.IntN(len(dev.Placements)), r.Float64()
		}
		cost, ok := s.Realise(groups, now, weight, place)
		if !ok {
			t.Fatalf("seed %d: groups %v have no places", seed, groups)
		}
		at, moved := make([]int, n), 0.0
		for k, g := range groups {
			for _, j := range []int8{g.A, g.B} {
				if j < 0 {
					continue
				}
				if at[j] = place[k]; at[j] != now[j] {
					moved += weight[j]
				}
			}
		}
		if x := worth(dev, v, at); math.Abs(x-want) > 1e-12 {
			t.Fatalf("seed %d: at %v the jobs are worth %v, expected %v", seed, at, x, want)
		}
		if math.Abs(moved-cost) > 1e-12 {
			t.Fatalf("seed %d: jobs that move weigh %v, %v was said", seed, moved, cost)
		}
		if least := leastMoved(dev, groups, now, weight); math.Abs(least-cost) > 1e-12 {
			t.Fatalf("seed %d: jobs that move weigh %v, expected %v", seed, cost, least)
		}
	}
	if none < 20 || some < 200 {
		t.Errorf("%d cases without a choice, %d with one: too few", none, some)
	}
}

// leastMoved is the least weight that must move, over all placements of all groups.
func leastMoved(dev *mig.Device, groups []Group, now []int, weight []float64) float64 {
	best := math.Inf(1)
	var try func(n int, set mig.Set, cost float64)
	try = func(n int, set mig.Set, cost float64) {
		if n == len(groups) {
			best = min(best, cost)
			return
		}
		for p, at := range dev.Placements {
			if at.Profile != int(groups[n].Profile) || set.Has(p) || !dev.Legal(set.With(p)) {
				continue
			}
			c := cost
			for _, j := range []int8{groups[n].A, groups[n].B} {
				if j >= 0 && now[j] != p {
					c += weight[j]
				}
			}
			try(n+1, set.With(p), c)
		}
	}
	try(0, 0, 0)
	return best
}

// TestByHand: jobs whose speed is min(1, slices/7 over use) on an A100. One has the complete GPU;
// two that use half have 4g and 3g; seven small ones 1g each; a pair is made where instances do not
// reach.
func TestByHand(t *testing.T) {
	dev, _ := mig.Named("a100-40gb")
	s, w := NewShapes(dev), &Solver{}
	use := func(u ...float64) func(i, p int) float64 {
		return func(i, p int) float64 { return min(1, float64(dev.Profiles[p].Compute)/7/u[i]) }
	}
	for _, c := range []struct {
		why  string
		v    Values
		want float64
		in   []string
	}{
		{"one has all of it", Values{Jobs: 1, Alone: use(.9)}, 1, []string{"7g.40gb"}},
		{"halves", Values{Jobs: 2, Alone: use(4./7, 3./7)}, 2, []string{"4g.20gb", "3g.20gb"}},
		{"seven small ones", Values{Jobs: 7, Alone: use(.1, .1, .1, .1, .1, .1, .1)}, 7,
			[]string{"1g.5gb", "1g.5gb", "1g.5gb", "1g.5gb", "1g.5gb", "1g.5gb", "1g.10gb"}},
		{"two of three as a pair", Values{Jobs: 3, Alone: use(1, 1, 1), Pair: func(i, k, p int) float64 {
			if i == 0 && k == 2 && dev.Profiles[p].Compute == 4 {
				return 1.5
			}
			return -1
		}}, 1.5 + 3./7, []string{"4g.20gb", "3g.20gb"}},
	} {
		groups, got, ok := s.Best(w, &c.v, nil)
		if !ok || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v of worth %v, expected %v", c.why, groups, got, c.want)
		}
		for k, g := range groups {
			if name := dev.Profiles[g.Profile].Name; len(groups) != len(c.in) || name != c.in[k] {
				t.Errorf("%s: groups %v, expected %v", c.why, groups, c.in)
				break
			}
		}
	}
	if _, _, ok := s.Best(w, &Values{Jobs: 1, Alone: func(i, p int) float64 { return math.NaN() }}, nil); ok {
		t.Error("a job that fits nowhere has a place")
	}
}

// TestShapes: 78 maximal configurations have 38 shapes, of which the first is the complete GPU.
func TestShapes(t *testing.T) {
	dev, _ := mig.Named("h100-80gb")
	s := NewShapes(dev)
	if s.Len() != 38 || len(s.list[0]) != 1 || s.Device() != dev {
		t.Errorf("%d shapes, the first %v", s.Len(), s.list[0])
	}
}
