package backfill

import (
	"cmp"
	"slices"

	"tarry/sim"
)

// Bounds keeps the holes that were found while a profile was only taken from: there is no earlier
// one for a job that needs as much for as long. The zero value has none.
type Bounds struct {
	needs []needBounds // for each need, ascending
}

// needBounds has the holes of a need, for longer jobs later ones.
type needBounds struct {
	need  int64
	holes []bound
}

type bound struct{ d, at sim.Time }

// Reset forgets all holes.
func (b *Bounds) Reset() {
	for i := range b.needs {
		b.needs[i].holes = b.needs[i].holes[:0]
	}
}

// From is an instant before which there is no hole of n thousandths of GPUs for d; 0 where none is
// found.
func (b *Bounds) From(d sim.Time, n int64) (from sim.Time) {
	for i := range b.needs {
		x := &b.needs[i]
		if x.need > n {
			break
		}
		if k := x.search(d + 1); k > 0 {
			from = max(from, x.holes[k-1].at)
		}
	}
	return from
}

// Found notes the earliest hole of n thousandths for d.
func (b *Bounds) Found(at, d sim.Time, n int64) {
	i, found := slices.BinarySearchFunc(b.needs, n, func(x needBounds, n int64) int { return cmp.Compare(x.need, n) })
	if !found {
		b.needs = slices.Insert(b.needs, i, needBounds{need: n})
	}
	x := &b.needs[i]
	k := x.search(d)
	if k > 0 && x.holes[k-1].at >= at { // as late for a shorter job
		return
	}
	last := k
	for last < len(x.holes) && x.holes[last].at <= at {
		last++
	}
	x.holes = slices.Replace(x.holes, k, last, bound{d, at})
}

// search is the first hole for d or longer.
func (x *needBounds) search(d sim.Time) int {
	k, _ := slices.BinarySearchFunc(x.holes, d, func(h bound, d sim.Time) int { return cmp.Compare(h.d, d) })
	return k
}

// Clone gives an empty copy: bounds do not outlive a decision.
func (b *Bounds) Clone() Bounds { return Bounds{} }
