package plan

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"tarry/internal/assign"
)

// bins finds the virtual machine on which a number of GPUs fits best.
type bins struct {
	of [][]uint64 // by GPUs left: the nodes that have as many, a bit each
}

func (r *bins) open() {
	for i := range r.of {
		r.of[i] = r.of[i][:0]
	}
}

// put notes that a node has so many GPUs left.
func (r *bins) put(node, left int32) {
	for int(left) >= len(r.of) {
		r.of = append(r.of, nil)
	}
	for len(r.of[left]) <= int(node/64) {
		r.of[left] = append(r.of[left], 0)
	}
	r.of[left][node/64] |= 1 << (node % 64)
}

// take takes that back.
func (r *bins) take(node, left int32) { r.of[left][node/64] &^= 1 << (node % 64) }

// fittest is the node with the fewest GPUs left that are enough, else that with most, the first of
// equals. There must be one with some.
func (r *bins) fittest(need int32) (node, left int32) {
	for n := int(need); n < len(r.of); n++ {
		if k := first(r.of[n]); k >= 0 {
			return k, int32(n)
		}
	}
	n := min(int(need), len(r.of)) - 1
	for n > 1 && first(r.of[n]) < 0 {
		n--
	}
	return first(r.of[n]), int32(n)
}

func first(set []uint64) int32 {
	for i, x := range set {
		if x != 0 {
			return int32(64*i + bits.TrailingZeros64(x))
		}
	}
	return -1
}

// matching gives each virtual machine in use one of the cluster. Its costs are the GPUs that stay,
// with a minus.
type matching struct {
	solver assign.Solver
	p      *packer
	rows   []int32 // nodes in use
	row    []int32 // of each node, -1 = not in use
	least  int32   // GPUs of the smallest node
	// What jobs of row i hold of machines that are nodes: columns[from[i]:from[i+1]], ascending, and
	// minus the GPUs that would stay there.
	from    []int32
	columns []int32
	stays   []float64
	sum     []float64 // by node, 0 between two rows
	by      []int32   // parts, by row
}

// machines puts parts on the machines that their nodes become.
func (x *matching) machines(p *packer, parts []packed) {
	x.p = p
	x.survey(parts)
	x.solver.Begin(x, len(p.nodes))
	for range x.rows {
		if _, err := x.solver.Add(); err != nil {
			return // each could be what it was made from
		}
	}
	for r, k := range x.rows {
		p.nodes[k].to = p.nodes[x.solver.Column(r)].machine
	}
	for k := range parts {
		parts[k].node = p.nodes[parts[k].node].to
	}
	x.p = nil
}

// survey lists the nodes in use, and what jobs on them hold of the machines.
func (x *matching) survey(parts []packed) {
	nodes := x.p.nodes
	x.rows, x.row, x.least, x.from = x.rows[:0], x.row[:0], math.MaxInt32, x.from[:0]
	for k := range nodes {
		x.least = min(x.least, nodes[k].cap)
		if x.row = append(x.row, -1); nodes[k].left < nodes[k].cap {
			x.row[k] = int32(len(x.rows))
			x.rows, x.from = append(x.rows, int32(k)), append(x.from, 0)
		}
	}
	for _, y := range parts { // sort them by row
		x.from[x.row[y.node]]++
	}
	end := int32(0)
	for r, n := range x.from {
		x.from[r], end = end, end+n
	}
	x.by = slices.Grow(x.by[:0], len(parts))[:len(parts)]
	for k, y := range parts {
		r := x.row[y.node]
		x.by[x.from[r]] = int32(k)
		x.from[r]++
	}
	x.columns, x.stays = x.columns[:0], x.stays[:0]
	x.sum = slices.Grow(x.sum[:0], len(nodes))[:len(nodes)]
	clear(x.sum)
	begin := int32(0)
	for r, to := range x.from { // where the parts of the row end
		x.from[r] = int32(len(x.columns))
		x.add(parts, x.by[begin:to])
		begin = to
	}
	x.from = append(x.from, int32(len(x.columns)))
}

// add lists the columns of a row that has these parts.
func (x *matching) add(parts []packed, of []int32) {
	p, from := x.p, len(x.columns)
	t := p.v.Topology()
	for _, k := range of {
		held := p.v.Run(p.s.wants[parts[k].want].Job).Held()
		for g := 0; g < len(held); {
			m, n := t.Machine(held[g]), int32(0)
			for ; g < len(held) && t.Machine(held[g]) == m; g++ {
				n++
			}
			if col, ok := slices.BinarySearchFunc(p.nodes, int32(m),
				func(a bin, m int32) int { return cmp.Compare(a.machine, m) }); ok {
				if x.sum[col] == 0 {
					x.columns = append(x.columns, int32(col))
				}
				x.sum[col] -= float64(min(n, parts[k].n))
			}
		}
	}
	slices.Sort(x.columns[from:])
	for _, col := range x.columns[from:] {
		x.stays = append(x.stays, x.sum[col])
		x.sum[col] = 0
	}
}

// Row implements assign.Costs.
func (x *matching) Row(i int, out []float64) {
	nodes := x.p.nodes
	used := nodes[x.rows[i]].cap - nodes[x.rows[i]].left
	clear(out)
	for k := x.from[i]; k < x.from[i+1]; k++ {
		out[x.columns[k]] = x.stays[k]
	}
	for m := range out {
		if used <= x.least {
			break
		}
		if nodes[m].cap < used {
			out[m] = math.Inf(1)
		}
	}
}

// Few implements assign.Sparse.
func (x *matching) Few(i int) (columns []int32, costs []float64, other float64) {
	nodes := x.p.nodes
	lo, hi := x.from[i], x.from[i+1]
	columns, costs = x.columns[lo:hi], x.stays[lo:hi]
	if used := nodes[x.rows[i]].cap - nodes[x.rows[i]].left; used > x.least {
		for _, m := range columns {
			if nodes[m].cap < used { // such a machine is not to be had
				return nil, nil, 0
			}
		}
	}
	return columns, costs, 0
}
