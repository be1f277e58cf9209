package cells

import (
	"cmp"
	"slices"
)

// mapping finds physical cells for virtual GPUs without changing anything.
type mapping struct {
	usable func(node *cell) bool
	// want are by parent the virtual children that have to be bound.
	want map[*cell][]*cell
	// free and promised are the chain's as they will be.
	free     [][]*cell
	promised []int
	got      map[*cell]*cell
}

// toPhysical gives the physical GPU of each virtual one; nil = there is none that may be used.
func toPhysical(ch *chain, leaves [][]*cell, usable func(*cell) bool) map[*cell]*cell {
	m := &mapping{usable: usable, want: map[*cell][]*cell{}, got: map[*cell]*cell{},
		promised: slices.Clone(ch.promised)}
	for _, f := range ch.free {
		m.free = append(m.free, slices.Clone(f))
	}
	roots, bound := m.collect(leaves)
	for _, p := range bound {
		if !m.match(m.want[p], p.peer.children, m.got) {
			return nil
		}
	}
	for _, r := range roots {
		if !m.buddy(ch, r) {
			return nil
		}
	}
	for _, pod := range leaves {
		for _, v := range pod {
			if v.peer != nil {
				m.got[v] = v.peer
			}
		}
	}
	return m.got
}

// collect fills want; roots are the bought cells to be bound, bound the bound cells with children
// to be bound, in order.
func (m *mapping) collect(leaves [][]*cell) (roots, bound []*cell) {
	seen := map[*cell]bool{}
	for _, pod := range leaves {
		for _, v := range pod {
			for ; v.peer == nil && !seen[v]; v = v.parent {
				seen[v] = true
				if v.quota != nil {
					roots = append(roots, v)
					break
				}
				if v.parent.peer != nil && len(m.want[v.parent]) == 0 {
					bound = append(bound, v.parent)
				}
				m.want[v.parent] = append(m.want[v.parent], v)
			}
		}
	}
	return roots, bound
}

// buddy finds a free cell for a bought one: of its level, else the lowest above, cut down. A higher
// level is tried when no cell there is usable and the promises to all tenants allow it.
func (m *mapping) buddy(ch *chain, v *cell) bool {
	counts := make([]int, len(m.free))
	for l, f := range m.free {
		counts[l] = len(f)
	}
	for l := v.level; l <= ch.top(); l++ {
		if counts[l] == 0 || !safe(counts, m.promised, ch.kids, l, v.level) {
			continue
		}
		for _, c := range quietest(m.free[l]) {
			p := m.descend(v, c)
			if p == nil {
				continue
			}
			m.promised[v.level]--
			m.free[l] = without(m.free[l], c)
			for l--; l >= v.level; l-- {
				x := p.up(l)
				m.free[l] = without(append(m.free[l], x.parent.children...), x)
			}
			return true
		}
	}
	return false
}

// descend finds a cell of v's level at or below c.
func (m *mapping) descend(v, c *cell) *cell {
	if c.level == v.level {
		if m.fits(v, c, m.got) {
			return c
		}
		return nil
	}
	for _, k := range quietest(c.children) {
		if p := m.descend(v, k); p != nil {
			return p
		}
	}
	return nil
}

// fits binds v and what is wanted below it to c, in got, when that is possible.
func (m *mapping) fits(v, c *cell, got map[*cell]*cell) bool {
	if c.peer != nil || c.level <= c.chain.node && !m.usable(c) || !m.match(m.want[v], c.children, got) {
		return false
	}
	got[v] = c
	return true
}

// match gives each virtual cell a physical one of its own: cells with fewest opportunistic GPUs
// first, and other ones for cells that have theirs where a later cell has no other (augmenting
// paths).
func (m *mapping) match(want, from []*cell, got map[*cell]*cell) bool {
	if len(want) == 0 {
		return true
	}
	from = quietest(from)
	owner := make([]*cell, len(from))
	var try func(v *cell, tried []bool) bool
	try = func(v *cell, tried []bool) bool {
		for i, c := range from {
			if tried[i] || !m.fits(v, c, map[*cell]*cell{}) {
				continue
			}
			tried[i] = true
			if owner[i] == nil || try(owner[i], tried) {
				owner[i] = v
				return true
			}
		}
		return false
	}
	for _, v := range want {
		// An idle cell first, so that no pod is moved without need.
		free := slices.IndexFunc(from, func(c *cell) bool {
			return owner[slices.Index(from, c)] == nil &&
				m.fits(v, c, map[*cell]*cell{})
		})
		if free >= 0 {
			owner[free] = v
		} else if !try(v, make([]bool, len(from))) {
			return false
		}
	}
	for i, v := range owner {
		if v != nil {
			m.fits(v, from[i], got)
		}
	}
	return true
}

// quietest orders cells by opportunistic GPUs, fewest first, so that few pods are ended later.
func quietest(list []*cell) []*cell {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b *cell) int {
		return cmp.Compare(a.usedAt(Opportunistic),
			b.usedAt(Opportunistic))
	})
	return out
}
