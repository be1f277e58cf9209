package plan

import (
	"cmp"

	"tarry/sim/cluster"
)

// rank is the place of a machine's type among the fastest; 0 where there is one type. Of machines
// or GPUs that are equal else, the fastest type's go first, as in cluster.Free.At.
func (p *Placer) rank(t *cluster.Topology, m int) int {
	if len(t.Types()) == 1 {
		return 0
	}
	if len(p.ranks) == 0 {
		p.ranks = make([]int, len(t.Types()))
		for r, i := range t.Fastest() {
			p.ranks[i] = r
		}
	}
	return p.ranks[t.TypeOf(m)]
}

// sooner reports whether a GPU in shared use, of which u is in use, goes before another by best
// fit: the fuller, then the one on the faster type, then the lower.
func sooner(u, most int32, rank, was int, g, best cluster.GPU) bool {
	return cmp.Or(cmp.Compare(most, u), cmp.Compare(rank, was), cmp.Compare(g, best)) < 0
}
