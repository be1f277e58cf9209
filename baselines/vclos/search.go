package vclos

import (
	"cmp"
	"math/bits"
	"slices"
)

// most bounds the nodes of a search; what it has found by then counts.
const most = 200000

// search finds m leaves with q GPUs free each, and width spines free to all of them (a biclique of
// leaves and spines) so that the sum of the leaves' ranks is least: leaves with fewest free GPUs
// have the lowest. It is exact (branch and bound) up to most nodes.
type search struct {
	m, width     int
	links        []uint64
	leaves       []int32   // by rank
	lists        [][]int32 // ranks that may follow, by the length of the path
	path, chosen []int32   // ranks; the leaves of the best
	best         int       // the least sum of ranks; -1 = none found
	nodes        int
}

// rank lists the leaves with so many GPUs and links free, fewest GPUs first.
func (s *search) rank(n *Network, width, q int, free []int32) {
	s.leaves = s.leaves[:0]
	for l, f := range free {
		if int(f) >= q && bits.OnesCount64(n.Links[l]) >= width {
			s.leaves = append(s.leaves, int32(l))
		}
	}
	slices.SortStableFunc(s.leaves, func(a, b int32) int { return cmp.Compare(free[a], free[b]) })
}

func (s *search) run(n *Network, m, q int, free []int32) {
	s.m, s.width, s.links = m, n.Width(q), n.Links
	s.best, s.nodes, s.path = -1, 0, s.path[:0]
	s.rank(n, s.width, q, free)
	for len(s.lists) <= m {
		s.lists = append(s.lists, nil)
	}
	s.lists[0] = s.lists[0][:0]
	for i := range s.leaves {
		s.lists[0] = append(s.lists[0], int32(i))
	}
	s.descend(^uint64(0), 0)
}

// descend extends a path, given the spines free to all its leaves and their sum of ranks.
func (s *search) descend(common uint64, sum int) {
	depth := len(s.path)
	list, left := s.lists[depth], s.m-depth
	if left == 0 {
		s.best, s.chosen = sum, s.chosen[:0]
		for _, i := range s.path {
			s.chosen = append(s.chosen, s.leaves[i])
		}
		return
	}
	for at := 0; at+left <= len(list); at++ {
		if s.best >= 0 {
			bound := sum
			for _, i := range list[at : at+left] {
				bound += int(i)
			}
			if bound >= s.best {
				return // later leaves have higher ranks
			}
		}
		if s.nodes++; s.nodes > most {
			return
		}
		i := list[at]
		spines := common & s.links[s.leaves[i]]
		next := s.lists[depth+1][:0]
		for _, k := range list[at+1:] {
			if bits.OnesCount64(spines&s.links[s.leaves[k]]) >= s.width {
				next = append(next, k)
			}
		}
		s.lists[depth+1] = next
		s.path = append(s.path, i)
		s.descend(spines, sum+int(i))
		s.path = s.path[:depth]
	}
}
