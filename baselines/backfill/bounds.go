package backfill

import (
	"cmp"
	"slices"

	"tarry/sim"
)

// Bounds keeps the holes that were found while a profile was only taken from, or reservations moved
// ahead in it: there is no earlier one for a job that needs as much for as long. The zero value has
// none.
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

// freed forgets what n that came free from an instant to another made wrong.
func (b *Bounds) freed(p *Profile, from, to sim.Time, n int64) {
	first := p.find(from)
	for i := range b.needs {
		x := &b.needs[i]
		if len(x.holes) == 0 {
			continue
		}
		for s := first; s.c < len(p.chunks); {
			k := &p.chunks[s.c]
			if k.at[s.i] >= to {
				break
			}
			if free := k.free[s.i] + k.add; free < x.need || free-n >= x.need { // as before
				if s.i++; s.i == k.n {
					s = step{s.c + 1, 0}
				}
				continue
			}
			since, until := p.since(k.at[s.i], x.need), p.until(s, x.need)
			x.lose(since, until)
			if until >= to {
				break
			}
			s = p.find(until)
		}
	}
}

// lose notes a new hole from an instant to another.
func (x *needBounds) lose(from, to sim.Time) {
	last := x.search(to - from + 1) // longer jobs do not fit into it
	first := last
	for first > 0 && x.holes[first-1].at > from {
		first--
	}
	if first == last {
		return
	}
	now, later := bound{x.holes[first].d, from}, bound{to - from + 1, x.holes[last-1].at}
	if last < len(x.holes) && x.holes[last].d == later.d {
		x.holes = slices.Replace(x.holes, first, last, now)
		return
	}
	x.holes = slices.Replace(x.holes, first, last, now, later)
}

// search is the first hole for d or longer.
func (x *needBounds) search(d sim.Time) int {
	i, j := 0, len(x.holes)
	for i < j {
		if m := int(uint(i+j) / 2); x.holes[m].d < d {
			i = m + 1
		} else {
			j = m
		}
	}
	return i
}

// Clone gives an empty copy: bounds do not outlive a decision.
func (b *Bounds) Clone() Bounds { return Bounds{} }
