// Package dominant is dominant resource fairness over a tree of tenants: who is next, by weighted
// dominant shares. A. Ghodsi et al., "Dominant Resource Fairness: Fair Allocation of Multiple
// Resource Types", NSDI 2011; A. A. Bhattacharya et al., "Hierarchical Scheduling for Diverse
// Datacenter Workloads", SoCC 2013 (H-DRF).
//
// Progressive filling: Pick gives the tenant that is next, the caller gives it one task (Use), and
// so on until no tenant wants what is left.
package dominant

import "slices"

// Resources is the number of resources: GPUs, CPU and memory.
const Resources = 3

// Vector is an amount of each resource, in any units that its total has too.
type Vector [Resources]float64

// Kind states what an inner node counts as having.
type Kind uint8

// The kinds.
const (
	// HDRF is H-DRF: children that can get more are scaled down to the least share among them,
	// children that cannot are counted as they are, and resources of which nothing is left do not
	// count.
	HDRF Kind = iota
	// Rescaled scales all children down to the least share among them: H-DRF without its rule for
	// children that cannot get more.
	Rescaled
	// Naive counts what the children have.
	Naive
)

// Root is the node of which all others descend; None is no node.
const (
	Root int32 = 0
	None int32 = -1
)

type node struct {
	parent   int32
	leaf     bool
	wants    bool // something below it can get more
	children []int32
	weight   float64
	used     Vector
	seen     Vector  // what counts as used at the parent
	share    float64 // weighted dominant share
}

// Tree is tenants. Build it with New; it belongs to one run.
type Tree struct {
	kind  Kind
	total Vector
	nodes []node
}

// New gives a tree that has only its root, over so much of each resource; a resource of which there
// is nothing does not count.
func New(total Vector, kind Kind) *Tree {
	return &Tree{kind: kind, total: total, nodes: []node{{parent: None, weight: 1}}}
}

// Add puts a node below an inner one and gives its number. weight is > 0, on the scale of its
// siblings'.
func (t *Tree) Add(parent int32, weight float64, leaf bool) int32 {
	id := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{parent: parent, leaf: leaf, weight: weight})
	t.nodes[parent].children = append(t.nodes[parent].children, id)
	return id
}

// Use notes what a leaf gets, or with a negative sign what it gives back.
func (t *Tree) Use(leaf int32, v Vector, sign float64) {
	for id := leaf; id >= 0; id = t.nodes[id].parent {
		for r := range v {
			t.nodes[id].used[r] += float64(sign * v[r])
		}
	}
}

// Used is what a node and all below it have.
func (t *Tree) Used(id int32) Vector { return t.nodes[id].used }

// Share is the weighted dominant share of a node by what it has: the largest part that it has of a
// resource, over its weight.
func (t *Tree) Share(id int32) float64 {
	return t.dominant(&t.nodes[id].used, nil) / t.nodes[id].weight
}

// dominant is the largest part of a resource; without resources of which nothing is left by full.
func (t *Tree) dominant(v, full *Vector) float64 {
	most := 0.0
	for r := range v {
		if t.total[r] > 0 && (full == nil || full[r] < t.total[r]) {
			most = max(most, v[r]/t.total[r])
		}
	}
	return most
}

// Pick is the leaf that is next: from the root on, the child with the least share among those below
// which a leaf wants more and can have it; the first added among equals. None where no
// leaf wants. It costs the number of nodes.
func (t *Tree) Pick(wants func(leaf int32) bool) int32 {
	for i := len(t.nodes) - 1; i >= 0; i-- { // children come after their parents
		n := &t.nodes[i]
		if n.leaf {
			n.wants, n.seen, n.share = wants(int32(i)), n.used, t.Share(int32(i))
			continue
		}
		t.combine(n)
	}
	if !t.nodes[Root].wants {
		return None
	}
	id := Root
	for !t.nodes[id].leaf {
		next := None
		for _, c := range t.nodes[id].children {
			if t.nodes[c].wants && (next == None || t.nodes[c].share < t.nodes[next].share) {
				next = c
			}
		}
		id = next
	}
	return id
}

// combine computes what an inner node counts as having.
func (t *Tree) combine(n *node) {
	n.wants = false
	least := -1.0 // the least share among children that count for it
	for _, c := range n.children {
		x := &t.nodes[c]
		n.wants = n.wants || x.wants
		if x.share > 0 && (x.wants || t.kind == Rescaled) && (least < 0 || x.share < least) {
			least = x.share
		}
	}
	full := &t.nodes[Root].used
	if t.kind != HDRF {
		full = nil
	}
	if t.kind == Naive {
		n.seen = n.used
	} else {
		n.seen = Vector{}
		for _, c := range n.children {
			x := &t.nodes[c]
			scale := 1.0
			if x.share > 0 && (x.wants || t.kind == Rescaled) {
				scale = least / x.share
			}
			for r := range n.seen {
				n.seen[r] += float64(scale * x.seen[r])
			}
		}
	}
	n.share = t.dominant(&n.seen, full) / n.weight
}

// Meet gives the children of the lowest common ancestor of two leaves, on the way to each.
func (t *Tree) Meet(a, b int32) (int32, int32) {
	for {
		for c := b; c != None; c = t.nodes[c].parent {
			if t.nodes[c].parent == t.nodes[a].parent {
				return a, c
			}
		}
		a = t.nodes[a].parent
	}
}

// Clone gives an independent copy.
func (t *Tree) Clone() *Tree {
	c := &Tree{kind: t.kind, total: t.total, nodes: slices.Clone(t.nodes)}
	for i := range c.nodes {
		c.nodes[i].children = slices.Clone(c.nodes[i].children)
	}
	return c
}
