package cells

import "slices"

// place puts pods, whose sizes ascend, on nodes; prio is the priority from which on GPUs are taken.
// across: nodes with most GPUs in use by any priority come first (guaranteed pods), else nodes with
// most at prio and fewest above it (opportunistic pods). It walks the nodes once, so a place may be
// missed that exists, as in the published program. nil = none.
func (c *Cluster) place(view []*cell, sizes []int, prio int, across bool, usable func(*cell) bool) [][]*cell {
	where := c.walk(c.order(view, sizes, prio, across, usable), view, sizes, prio)
	if where == nil {
		return nil
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

// Ranks of nodes are numbers, which sort faster than structures: GPUs in use, GPUs above, and the
// place in the list, with so many bits.
const (
	rankBits = 16
	mostGPUs = 1<<rankBits - 1
)

// order ranks the nodes of a placement, best first; those without room for the smallest pod are
// left out, and all when the free GPUs are too few.
func (c *Cluster) order(view []*cell, sizes []int, prio int, across bool, usable func(*cell) bool) []uint64 {
	keys, free := c.keys[:0], 0
	for i, x := range view {
		n := x.chain.size[x.level] - x.usedFrom(prio)
		if n < sizes[0] || !usable(x) {
			continue
		}
		free += n
		first, others := 0, 0
		if across {
			first = x.usedFrom(Opportunistic)
		} else {
			first, others = x.usedAt(prio), x.usedFrom(prio+1)
		}
		keys = append(keys, uint64(mostGPUs-min(first, mostGPUs))<<(32+rankBits)|uint64(min(others,
			mostGPUs))<<32|uint64(i))
	}
	c.keys = keys
	for _, n := range sizes {
		free -= n
	}
	if free < 0 {
		return nil
	}
	slices.Sort(keys)
	return keys
}

// walk gives each pod a node; nil = the list ends before the pods.
func (c *Cluster) walk(keys []uint64, view []*cell, sizes []int, prio int) []*cell {
	where := make([]*cell, len(sizes))
	i, taken := 0, 0
	for k, n := range sizes {
		for ; i < len(keys); i, taken = i+1, 0 {
			x := view[uint32(keys[i])]
			if x.chain.size[x.level]-x.usedFrom(prio)-taken >= n {
				where[k] = x
				break
			}
		}
		if where[k] == nil {
			return nil
		}
		taken += n
	}
	return where
}
