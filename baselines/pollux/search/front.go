package search

import (
	"cmp"
	"math"
	"slices"
)

// place is a member in the order of fronts: by fitness, then utility, both falling.
type place struct {
	fitness, utility float64
	at               int32 // in the members
	next             int32 // in its front, in this order; -1 = none
}

// front is a list of places that do not dominate one another: fitness falls, utility rises.
type front struct {
	first, last int32
	n           int
}

// rank sorts the members into fronts: the first is not dominated, the next only by the first,
// and so on. Equal members are in one front.
func (s *Search) rank(members []*one) {
	s.order, s.fronts = s.order[:0], s.fronts[:0]
	for i, o := range members {
		s.order = append(s.order, place{o.fitness, o.utility, int32(i), -1})
	}
	slices.SortFunc(s.order, func(a, b place) int {
		switch {
		case a.fitness != b.fitness:
			return cmp.Compare(b.fitness, a.fitness)
		case a.utility != b.utility:
			return cmp.Compare(b.utility, a.utility)
		}
		return cmp.Compare(a.at, b.at)
	})
	for i := range s.order {
		p := &s.order[i]
		lo, hi := 0, len(s.fronts) // the first front whose last, which has its best utility, does not dominate p
		for lo < hi {
			mid := (lo + hi) / 2
			if q := &s.order[s.fronts[mid].last]; q.utility > p.utility || q.utility == p.utility &&
				q.fitness > p.fitness {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		if lo == len(s.fronts) {
			s.fronts = append(s.fronts, front{int32(i), int32(i), 1})
			continue
		}
		f := &s.fronts[lo]
		s.order[f.last].next, f.last = int32(i), int32(i)
		f.n++
	}
}

// crowd gives each member of a front the distance between its neighbours, in parts of the front's
// extent, as mean of the two objectives: infinite at the ends, 0 for a member equal to an earlier
// one.
func (s *Search) crowd(members []*one, f *front) {
	if f.n <= 2 {
		for i := f.first; i >= 0; i = s.order[i].next {
			members[s.order[i].at].crowding = math.Inf(1)
		}
		return
	}
	first, last := &s.order[f.first], &s.order[f.last]
	wide, tall := first.fitness-last.fitness, last.utility-first.utility
	var before *place
	for i := f.first; i >= 0; {
		p := &s.order[i]
		o := members[p.at]
		for i = p.next; i >= 0 && s.order[i].fitness == p.fitness &&
			s.order[i].utility == p.utility; i = s.order[i].next {
			members[s.order[i].at].crowding = 0
		}
		switch {
		case before == nil && i < 0:
			o.crowding = 0
		case before == nil || i < 0:
			o.crowding = math.Inf(1)
		default:
			after := &s.order[i]
			o.crowding = ((before.fitness-after.fitness)/wide + (after.utility-before.utility)/tall) / 2
		}
		before = p
	}
}

// survive leaves the n best members at the head of the list: whole fronts, and of the last one the
// least crowded.
func (s *Search) survive(members []*one, n int) {
	s.rank(members)
	s.kept = s.kept[:0]
	for k := range s.fronts {
		f := &s.fronts[k]
		s.crowd(members, f)
		from := len(s.kept)
		for i := f.first; i >= 0; i = s.order[i].next {
			s.kept = append(s.kept, keep{o: members[s.order[i].at]})
		}
		if len(s.kept) >= n {
			s.split(s.kept[from:], n-from)
			for k++; k < len(s.fronts); k++ { // the rest stay in the list, behind
				for i := s.fronts[k].first; i >= 0; i = s.order[i].next {
					s.kept = append(s.kept, keep{o: members[s.order[i].at]})
				}
			}
			break
		}
	}
	for i := range s.kept {
		members[i] = s.kept[i].o
		s.kept[i].o = nil
	}
}

// keep is a member with a random number for ties.
type keep struct {
	o   *one
	tie uint64
}

// split moves the n of a front that are crowded least to its head.
func (s *Search) split(f []keep, n int) {
	if n >= len(f) {
		return
	}
	for i := range f {
		f[i].tie = s.draws.word()
	}
	slices.SortFunc(f, func(a, b keep) int {
		if a.o.crowding != b.o.crowding {
			return cmp.Compare(b.o.crowding, a.o.crowding)
		}
		return cmp.Compare(a.tie, b.tie)
	})
}
