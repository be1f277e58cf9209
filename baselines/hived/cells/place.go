package cells

import (
	"cmp"
	"slices"
)

// spot is a node during a placement.
type spot struct {
	c                   *cell
	free, first, others int
}

// place puts pods, whose sizes ascend, on nodes; prio is the priority from which on GPUs are taken. across: nodes with most GPUs in use by any
// priority come first (guaranteed pods), else those with most at prio and fewest above it (opportunistic pods). It walks
// the nodes once, so a place may be missed that exists, as in the published program. nil = none.
func place(view []*cell, sizes []int, prio int, across bool, usable func(*cell) bool) [][]*cell {
	spots := make([]spot, 0, len(view))
	for _, c := range view {
		if !usable(c) {
			continue
		}
		s := spot{c: c, free: c.chain.size[c.level] - c.usedFrom(prio)}
		if across {
			s.first = c.usedFrom(Opportunistic)
		} else {
			s.first, s.others = c.usedAt(prio), c.usedFrom(prio+1)
		}
		spots = append(spots, s)
	}
	slices.SortStableFunc(spots, func(a, b spot) int {
		return cmp.Or(cmp.Compare(b.first, a.first), cmp.Compare(a.others, b.others))
	})
	where := make([]*cell, len(sizes))
	i := 0
	for k, n := range sizes {
		for i < len(spots) && spots[i].free < n {
			i++
		}
		if i == len(spots) {
			return nil
		}
		spots[i].free -= n
		where[k] = spots[i].c
	}
	out := make([][]*cell, len(sizes))
	for k, n := range sizes {
		out[k] = closest(where[k], n, prio)
		for _, x := range out[k] {
			x.picked = true
		}
	}
	for _, leaves := range out {
		for _, x := range leaves {
			x.picked = false
		}
	}
	return out
}
