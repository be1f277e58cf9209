package plan

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// piece is what a job holds on one machine: the GPUs [at, at+n) of its list. rank is its rack's.
type piece struct{ rack, machine, at, n, rank int32 }

// rackPart is what a job holds in one rack: on how many machines, and on how few of them there are
// enough.
type rackPart struct{ rack, n, pieces, enough int32 }

// shrink takes the GPUs of a job away that are too many. What stays lies on one machine if one has
// enough of its GPUs, else in one rack if one has, else in those racks with most that together
// have; there on the machines with most, and on these in the slots with most.
func (s *Sizer) shrink(v *sim.View, w *Want, x *sized) {
	t, keep := v.Topology(), x.n
	s.cut(t, w.GPUs)
	s.rank(keep)
	p := s.place
	from := len(p.arena)
	for i := range s.pieces {
		c := &s.pieces[i]
		gpus := w.GPUs[c.at : c.at+c.n]
		if k := min(keep, c.n); k == c.n {
			p.arena = append(p.arena, gpus...)
			keep -= k
		} else if k > 0 {
			s.some(t, gpus, k)
			keep = 0
		}
	}
	p.sorted(from)
	kept, h := p.arena[from:len(p.arena):len(p.arena)], 0
	for i, g := range w.GPUs {
		if h < len(kept) && kept[h] == g {
			h++
		} else {
			s.giveBack(v, w.GPUs[i:i+1], &x.had)
		}
	}
	w.GPUs = kept
}

// cut lists the pieces of an allocation, and what each rack has of it.
func (s *Sizer) cut(t *cluster.Topology, gpus []cluster.GPU) {
	s.pieces = s.pieces[:0]
	for i, g := range gpus {
		m := int32(t.Machine(g))
		if n := len(s.pieces); n > 0 && s.pieces[n-1].machine == m {
			s.pieces[n-1].n++
			continue
		}
		s.pieces = append(s.pieces, piece{rack: int32(t.Rack(int(m))), machine: m, at: int32(i), n: 1})
	}
}

// rank puts the pieces in the order in which they are kept, so that there are enough on few
// machines near one another.
func (s *Sizer) rank(keep int32) {
	if len(s.pieces) == 1 {
		return
	}
	most := slices.MaxFunc(s.pieces, func(a, b piece) int { return cmp.Compare(a.n, b.n) }).n
	if most < keep {
		s.rankRacks(keep)
	}
	slices.SortFunc(s.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.n, a.n), cmp.Compare(a.machine, b.machine))
	})
}

// rankRacks ranks first the racks that have enough alone, the rack that needs fewest machines
// first; where none has, the racks with most.
func (s *Sizer) rankRacks(keep int32) {
	slices.SortFunc(s.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.rack, b.rack), cmp.Compare(b.n, a.n), cmp.Compare(a.machine, b.machine))
	})
	s.racks = s.racks[:0]
	for i := range s.pieces {
		c := &s.pieces[i]
		if n := len(s.racks); n == 0 || s.racks[n-1].rack != c.rack {
			s.racks = append(s.racks, rackPart{rack: c.rack, enough: math.MaxInt32})
		}
		r := &s.racks[len(s.racks)-1]
		r.pieces++
		if r.n += c.n; r.n >= keep {
			r.enough = min(r.enough, r.pieces)
		}
	}
	slices.SortFunc(s.racks, func(a, b rackPart) int {
		return cmp.Or(cmp.Compare(a.enough, b.enough), cmp.Compare(b.n, a.n), cmp.Compare(a.rack, b.rack))
	})
	have, first := s.racks[0].n, int32(0)
	for have < keep { // no rack is enough: racks with most together are as good as one another
		first++
		have += s.racks[first].n
	}
	for i := range s.pieces {
		c := &s.pieces[i]
		r := int32(slices.IndexFunc(s.racks, func(r rackPart) bool { return r.rack == c.rack }))
		c.rank = max(r-first, 0)
	}
}

// some appends k GPUs of a piece: of the slots with most of it first.
func (s *Sizer) some(t *cluster.Topology, gpus []cluster.GPU, k int32) {
	for used := uint64(0); k > 0; {
		best, most, n := 0, 0, 0 // where the longest run in one slot ends
		for i, g := range gpus {
			if n++; i > 0 && t.Slot(g) != t.Slot(gpus[i-1]) {
				n = 1
			}
			if n > most && used>>i&1 == 0 {
				best, most = i+1, n
			}
		}
		for i := best - most; i < best; i++ {
			if used |= 1 << i; k > 0 {
				s.place.arena = append(s.place.arena, gpus[i])
				k--
			}
		}
	}
}
