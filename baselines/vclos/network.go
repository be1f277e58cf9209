package vclos

import (
	"math/bits"
	"slices"
)

// Network is the links of a leaf-spine that are free: one link for each leaf and spine.
type Network struct {
	// Spines is the number of spines, 1..64.
	Spines int
	// Size is the GPUs of the largest leaf.
	Size int
	// Links has the spines to which the link of each leaf is free, spine s as bit s.
	Links []uint64
	// Strict is a slip of the authors' program, for comparisons: leaves are counted that have more
	// than q GPUs free, where q would do.
	Strict bool

	search search
}

// Part is what a job gets: GPUs on some leaves, and spines whose links to all of them are its own.
// One leaf needs none.
type Part struct {
	// Leaves are ascending, GPUs those on each.
	Leaves, GPUs []int32
	Spines       uint64
}

// Open begins with all links free.
func (n *Network) Open(leaves, spines, size int) {
	n.Spines, n.Size = spines, size
	n.Links = slices.Grow(n.Links[:0], leaves)[:leaves]
	for i := range n.Links {
		n.Links[i] = ^uint64(0) >> (64 - spines)
	}
}

// Take books a part, Give frees it.
func (n *Network) Take(p *Part) {
	for _, l := range p.Leaves {
		n.Links[l] &^= p.Spines
	}
}

// Give frees the links of a part.
func (n *Network) Give(p *Part) {
	for _, l := range p.Leaves {
		n.Links[l] |= p.Spines
	}
}

// Width is the spines that a job needs which has so many GPUs on each of several leaves: its part of
// a leaf's links, rounded up.
func (n *Network) Width(perLeaf int) int {
	return min(n.Spines, max(1, (perLeaf*n.Spines+n.Size-1)/n.Size))
}

// Find fills p with a part for a job of so many GPUs, where free are the GPUs that it could have on
// each leaf now, and whole the GPUs that it could have if nothing ran. false = there is none: it waits.
func (n *Network) Find(p *Part, gpus int, free, whole []int32) bool {
	p.Leaves, p.GPUs, p.Spines = p.Leaves[:0], p.GPUs[:0], 0
	if gpus%n.Size == 0 && n.empty(p, gpus/n.Size, free) {
		return true
	}
	if gpus < n.Size && n.local(p, gpus, free) {
		return true
	}
	even := gpus == 1 || gpus < n.Size && count(whole, gpus) > 0 // equal parts would do if nothing ran
	for q := min(n.Size, gpus-1); q >= 1; q-- {
		if m := gpus / q; m*q == gpus {
			even = even || count(whole, q) >= m
			if n.division(p, q, m, free) {
				return true
			}
		}
	}
	return !even && n.uneven(p, gpus, free)
}

// count is the number of leaves with so many GPUs.
func count(leaves []int32, gpus int) (k int) {
	for _, f := range leaves {
		if int(f) >= gpus {
			k++
		}
	}
	return k
}

// empty gives the first leaves on which nothing runs.
func (n *Network) empty(p *Part, m int, free []int32) bool {
	p.Leaves = p.Leaves[:0]
	for l, f := range free {
		if int(f) < n.Size {
			continue
		}
		if p.Leaves = append(p.Leaves, int32(l)); len(p.Leaves) == m {
			return n.equal(p, n.Size)
		}
	}
	return false
}

// local gives the leaf with fewest GPUs free that holds the job, the first of equals.
func (n *Network) local(p *Part, gpus int, free []int32) bool {
	best := -1
	for l, f := range free {
		if int(f) >= gpus && (best < 0 || f < free[best]) {
			best = l
		}
	}
	if best < 0 {
		return false
	}
	p.Leaves, p.GPUs = append(p.Leaves[:0], int32(best)), append(p.GPUs[:0], int32(gpus))
	return true
}

// division gives m leaves with q GPUs each, and spines free to all of them.
func (n *Network) division(p *Part, q, m int, free []int32) bool {
	if n.Strict && count(free, q+1) < m {
		return false
	}
	s := &n.search
	if s.run(n, m, q, free); s.best < 0 {
		return false
	}
	p.Leaves = append(p.Leaves[:0], s.chosen...)
	slices.Sort(p.Leaves)
	return n.equal(p, q)
}

// equal gives each leaf of a part q GPUs, and the lowest spines that are free to all.
func (n *Network) equal(p *Part, q int) bool {
	p.GPUs = p.GPUs[:0]
	for range p.Leaves {
		p.GPUs = append(p.GPUs, int32(q))
	}
	return n.spines(p, n.Width(q))
}

// spines gives the lowest spines that are free to all leaves of a part; one leaf needs none.
func (n *Network) spines(p *Part, width int) bool {
	p.Spines = 0
	if len(p.Leaves) < 2 {
		return true
	}
	common := ^uint64(0)
	for _, l := range p.Leaves {
		common &= n.Links[l]
	}
	if bits.OnesCount64(common) < width {
		return false
	}
	for range width {
		p.Spines |= common & -common
		common &= common - 1
	}
	return true
}

// uneven gives the leaves with most GPUs free, among the leaves with all links free, and all
// these links: for sizes that no equal parts serve though nothing ran.
func (n *Network) uneven(p *Part, gpus int, free []int32) bool {
	s := &n.search
	if s.rank(n, n.Spines, 1, free); len(s.leaves) == 0 {
		return false
	}
	p.Leaves, p.GPUs = p.Leaves[:0], p.GPUs[:0]
	for at := len(s.leaves) - 1; at >= 0 && gpus > 0; at-- {
		p.Leaves = append(p.Leaves, s.leaves[at])
		gpus -= int(free[s.leaves[at]])
	}
	if gpus > 0 {
		return false
	}
	last := p.Leaves[len(p.Leaves)-1]
	slices.Sort(p.Leaves)
	for _, l := range p.Leaves {
		g := free[l]
		if l == last {
			g += int32(gpus) // what it is beyond is not used
		}
		p.GPUs = append(p.GPUs, g)
	}
	return n.spines(p, n.Spines)
}
