package powercap

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/internal/effort"
)

// drawn gives jobs of the clock law, with costs of whole numbers where ties are wanted.
func drawn(r *rand.Rand) (jobs []Options, low, high float64) {
	clocks := 1 + r.IntN(5)
	for range 1 + r.IntN(5) {
		var o Options
		weight, phi, p0, p3 := float64(r.IntN(4)), r.Float64(), float64(r.IntN(50)), float64(1+r.IntN(200))
		for k := range clocks {
			c := 1 - float64(clocks-1-k)/10
			o.Cost = append(o.Cost, weight*(phi/c+1-phi))
			o.Watts = append(o.Watts, p0+p3*c*c*c)
			if r.IntN(8) == 0 { // a clock that is no better, or one that is much worse
				o.Cost[k] = float64(r.IntN(6))
			}
		}
		low, high = low+o.Watts[0], high+o.Watts[clocks-1]
		jobs = append(jobs, o)
	}
	return jobs, low, high
}

// cheapestOf tries all clocks.
func cheapestOf(jobs []Options, capW float64) float64 {
	if len(jobs) == 0 {
		return 0
	}
	least := math.Inf(1)
	for k, c := range jobs[0].Cost {
		if w := jobs[0].Watts[k]; w <= capW*(1+1e-9) {
			least = min(least, c+cheapestOf(jobs[1:], capW-w))
		}
	}
	return least
}

func sum(jobs []Options, at []int32) (cost float64) {
	for j, k := range at {
		cost += jobs[j].Cost[k]
	}
	return cost
}

// The dual bound is at most the least cost, which is at most the cost by a price; a cap that all
// choices keep costs nothing; a cap below the least power has no answer. At the price each job's clock
// is its own best, and the lowest of these; at a lower price the clocks exceed the cap. What fill
// raises keeps the cap and costs no more.
func TestPriceLaws(t *testing.T) {
	var s Solver
	for seed := range uint64(effort.Of(t, 2000, 20000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		jobs, low, high := drawn(r)
		at := make([]int32, len(jobs))
		if p, ok := s.Price(jobs, high, at); p != 0 || !ok {
			t.Fatalf("seed %d: a cap at the sum of maxima has the price %v", seed, p)
		}
		if _, ok := s.Price(jobs, low-1, at); ok && Total(jobs, at) > low-1 {
			t.Fatalf("seed %d: a cap below the least power is kept", seed)
		}
		capW := low + r.Float64()*(high-low)
		price, ok := s.Price(jobs, capW, at)
		if !ok {
			continue // the cheapest power of a job may be at a higher clock, where costs do not fall
		}
		best, priced, bound := cheapestOf(jobs, capW), sum(jobs, at), Bound(jobs, capW, price)
		if bound > best+1e-9 || best > priced+1e-9 {
			t.Fatalf("seed %d: bound %v, best %v, by a price %v", seed, bound, best, priced)
		}
		if w := Total(jobs, at); w > capW*(1+1e-9) {
			t.Fatalf("seed %d: %v W, cap %v", seed, w, capW)
		}
		for _, other := range []float64{0, price / 2, price * 2} {
			if b := Bound(jobs, capW, other); b > bound+1e-9 {
				t.Fatalf("seed %d: the bound is %v at %v, and %v at the price %v", seed, b, other, bound, price)
			}
		}
		if below := choose(jobs, price*(1-1e-6)); price > 0 && Total(jobs, below) <= capW {
			t.Fatalf("seed %d: the cap is kept below the price %v", seed, price)
		}
		if own := choose(jobs, price*(1+1e-9)); !slices.Equal(own, at) {
			t.Fatalf("seed %d: clocks %v, the own best %v at %v", seed, at, own, price)
		}
		most := make([]int32, len(jobs))
		for j := range most {
			most[j] = int32(len(jobs[j].Cost) - 1)
		}
		fill(jobs, capW, at, most)
		if w, c := Total(jobs, at), sum(jobs, at); w > capW*(1+1e-9) || c > priced || c < best-1e-9 {
			t.Fatalf("seed %d: filled to %v W of %v and cost %v of %v", seed, w, capW, c, priced)
		}
	}
}

// choose is each job's own best clock at a price, of equals the lowest.
func choose(jobs []Options, price float64) (at []int32) {
	for _, o := range jobs {
		best := 0
		for k := range o.Cost {
			if o.Cost[k]+price*o.Watts[k] < o.Cost[best]+price*o.Watts[best]-1e-12 {
				best = k
			}
		}
		at = append(at, int32(best))
	}
	return at
}
