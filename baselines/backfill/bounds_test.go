package backfill

import (
	"math/rand/v2"
	"testing"

	"tarry/sim"
)

// From a bound on the earliest hole is the same as from the profile's start, while jobs are put into
// their holes one after the other; and bounds do skip most of the profile.
func TestHolesFromBoundsAreTheEarliest(t *testing.T) {
	later, all := 0, 0
	var b Bounds
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 0xb0d5))
		var p Profile
		now := sim.Time(r.IntN(50))
		p.Reset(now, 8000)
		for range r.IntN(8) {
			p.Take(now, now+1+sim.Time(r.IntN(60)), 1000)
		}
		b.Reset()
		for range 400 {
			d, n := sim.Time(1+r.IntN(40)), []int64{500, 1000, 1000, 2000, 4000, 8000, 9000}[r.IntN(7)]
			from := b.From(d, n)
			hole := p.HoleFrom(max(now, from), d, n)
			if want := p.Hole(d, n); hole != want {
				t.Fatalf("seed %d: the hole of %d for %v is at %v from %v on, want %v", seed, n, d, hole, from, want)
			}
			if b.Found(hole, d, n); hole < sim.Never {
				p.Take(hole, hole+d, n)
			}
			if all++; from > now {
				later++
			}
		}
	}
	if later*10 < all*9 {
		t.Errorf("%d of %d bounds lie behind the profile's start", later, all)
	}
}
