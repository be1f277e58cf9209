package assign

import (
	"fmt"
	"math"
	"slices"
)

// Edge joins two vertices.
type Edge struct {
	A, B   int
	Weight float64
}

// Matching pairs vertices along edges, with the dual values that prove it (doc.go).
type Matching struct {
	// Mate of each vertex, -1 = unmatched.
	Mate []int
	// Pairs is how many edges are matched, Weight their sum in the order of edges.
	Pairs  int
	Weight float64
	// Y is the dual of each vertex, Sets the odd sets of positive dual.
	Y    []float64
	Sets []OddSet
}

// OddSet is a set of an odd number of vertices inside of which all but one are matched.
type OddSet struct {
	Vertices []int
	Z        float64
}

// MaxWeight finds a matching of largest weight among the vertices 0..n-1; largest = only among the
// matchings with most edges. Of several edges between two vertices, the heaviest counts. The error
// names a bad edge.
func MaxWeight(n int, edges []Edge, largest bool) (Matching, error) {
	return new(Matcher).Solve(n, edges, largest)
}

// Matcher solves one problem after another in the same memory. The zero value is ready.
type Matcher struct {
	n     int
	edges []Edge
	tight []bool // of an edge: no slack, and in the graph that trees grow in
	// out lists the arcs out of each vertex, a slice of arcs for each. Arc 2e leads from A to B of
	// edge e, arc 2e+1 back.
	out  [][]int
	arcs []int
	to   []int32 // vertex that an arc leads to

	mate  []int     // arc from a vertex to its mate, -1 = none
	top   []int     // outermost node that holds a vertex
	nodes []node    // vertices, then blossoms
	free  []int     // numbers of blossoms that do not exist
	queue []int     // vertices of outer nodes whose edges are not scanned
	path  []int     // scratch of meet
	near  []int     // scratch of shrink: the best arc to each node
	stack []int     // scratch of leaves
	two   []float64 // twice the weight of each edge
}

// node is a vertex or a blossom: an odd cycle of nodes, each joined to the next by an edge.
type node struct {
	label  label
	parent int // blossom that holds it directly, -1 = outermost
	base   int // the vertex that is unmatched within it
	came   int // arc into the node by which it got its label, -1 = root or none
	// dual is twice y of a vertex, z of a blossom.
	dual float64
	// best is the arc of least slack: of an outer node to another outer node, of an unlabelled
	// vertex from an outer node; -1 = none.
	best int
	// Of a blossom: its nodes from the one with the base on, the arcs kids[i] -> kids[i+1], and
	// while it is outer its best arcs to other outer nodes.
	kids, links, bests []int
	listed             bool // bests holds all that counts
	seen               bool // scratch of meet
}

// label is a node's place in an alternating tree.
type label uint8

const (
	none  label = iota
	outer       // even distance from the root: its edges may be used
	inner       // odd
)

// Solve is MaxWeight.
func (m *Matcher) Solve(n int, edges []Edge, largest bool) (Matching, error) {
	if n < 0 {
		return Matching{}, fmt.Errorf("assign: %d vertices, expected 0 or more", n)
	}
	for i, e := range edges {
		if e.A < 0 || e.A >= n || e.B < 0 || e.B >= n || e.A == e.B {
			return Matching{}, fmt.Errorf("assign: edge %d joins %d and %d, expected two vertices of 0..%d", i, e.A,
				e.B, n-1)
		}
		if math.IsNaN(e.Weight) || math.IsInf(e.Weight, 0) {
			return Matching{}, fmt.Errorf("assign: edge %d has weight %v, expected a number", i, e.Weight)
		}
	}
	m.begin(n, edges)
	for m.stage(largest) {
	}
	return m.result(), nil
}

// begin sets every vertex free, with the least dual that leaves no edge overweight.
func (m *Matcher) begin(n int, edges []Edge) {
	m.n, m.edges = n, edges
	m.tight, m.two = resize(m.tight, len(edges)), resize(m.two, len(edges))
	most := 0.0
	for i, e := range edges {
		most, m.two[i] = max(most, e.Weight), 2*e.Weight
	}
	m.mate, m.top = resize(m.mate, n), resize(m.top, n)
	m.nodes, m.near = resize(m.nodes, n+n/2), resize(m.near, n+n/2)
	m.free = m.free[:0]
	for b := range m.nodes {
		d := &m.nodes[b]
		*d = node{parent: -1, base: -1, came: -1, best: -1, kids: d.kids[:0], links: d.links[:0], bests: d.bests[:0]}
		m.near[b] = -1
		if b < n {
			d.base, d.dual = b, most
			m.mate[b], m.top[b] = -1, b
		} else {
			m.free = append(m.free, n+len(m.nodes)-1-b) // the lowest number is taken first
		}
	}
	m.adjacency()
}

// adjacency lists the arcs out of each vertex in the order of edges.
func (m *Matcher) adjacency() {
	m.out, m.arcs = resize(m.out, m.n), resize(m.arcs, 2*len(m.edges))
	degree := m.top // still v for each v, restored below
	clear(degree)
	for _, e := range m.edges {
		degree[e.A]++
		degree[e.B]++
	}
	at := 0
	for v, d := range degree {
		m.out[v] = m.arcs[at : at : at+d]
		at += d
		m.top[v] = v
	}
	m.to = resize(m.to, 2*len(m.edges))
	for i, e := range m.edges {
		m.out[e.A] = append(m.out[e.A], 2*i)
		m.out[e.B] = append(m.out[e.B], 2*i+1)
		m.to[2*i], m.to[2*i+1] = int32(e.B), int32(e.A)
	}
}

// head is the vertex that an arc leads to.
func (m *Matcher) head(arc int) int { return int(m.to[arc]) }

// tail is the vertex that an arc leaves.
func (m *Matcher) tail(arc int) int { return m.head(arc ^ 1) }

// slack is twice what the duals of an arc's ends exceed its weight by. The ends must lie in
// different outermost nodes.
func (m *Matcher) slack(arc int) float64 {
	e := arc &^ 1
	return m.nodes[m.to[e+1]].dual + m.nodes[m.to[e]].dual - m.two[arc>>1]
}

// exists reports whether a node is a vertex or a blossom in use.
func (m *Matcher) exists(b int) bool { return m.nodes[b].base >= 0 }

// result reads the matching and its duals.
func (m *Matcher) result() Matching {
	r := Matching{Mate: make([]int, m.n), Y: make([]float64, m.n)}
	for v := range m.n {
		r.Mate[v], r.Y[v] = -1, m.nodes[v].dual/2
		if a := m.mate[v]; a >= 0 {
			r.Mate[v] = m.head(a)
		}
	}
	for i, e := range m.edges {
		if m.mate[e.A] >= 0 && m.mate[e.A]>>1 == i {
			r.Pairs++
			r.Weight += e.Weight
		}
	}
	for b := m.n; b < len(m.nodes); b++ {
		if m.exists(b) && m.nodes[b].dual > 0 {
			set := slices.Clone(m.leaves(b))
			slices.Sort(set)
			r.Sets = append(r.Sets, OddSet{Vertices: set, Z: m.nodes[b].dual})
		}
	}
	return r
}
