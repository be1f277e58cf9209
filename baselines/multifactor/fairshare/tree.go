// Package fairshare is the fair share of Slurm's priority/multifactor: a tree of accounts and users
// with shares and decayed usage, and the factor of each user by the classic formula or by Fair
// Tree. Formulas: slurm.schedmd.com, pages "Classic Fairshare Algorithm" and "Fair Tree Fairshare
// Algorithm".
//
// Reading guide: tree.go is the tree and its usage, classic.go and fairtree.go the two factors,
// decay.go how usage fades.
package fairshare

import "slices"

// Root is the node of which all others descend.
const Root int32 = 0

// node is an account or a user.
type node struct {
	parent   int32
	user     bool
	children []int32
	shares   float64 // raw
	level    float64 // raw shares of the children
	usage    float64 // decayed, of the node and all below it
	fair     float64 // level fairshare; effective usage in the classic formula
	norm     float64 // normalised shares, of the classic formula
	factor   float64
}

// Tree is accounts and their users. Build it with New; it belongs to one run.
type Tree struct {
	nodes []node
	users int
	line  []int32 // siblings that are ranked now, level after level
	rank  int     // of the user ranked last
	next  int     // the rank of the next user that is not tied
}

// New gives a tree that has only its root.
func New() *Tree { return &Tree{nodes: []node{{parent: -1}}} }

// Add puts an account or a user below an account and gives its number. shares is > 0, on the scale
// of its siblings'.
func (t *Tree) Add(parent int32, shares float64, user bool) int32 {
	id := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{parent: parent, user: user, shares: shares, factor: 1})
	p := &t.nodes[parent]
	p.children = append(p.children, id)
	p.level += shares
	if user {
		t.users++
	}
	return id
}

// Charge adds usage to a node and to all above it.
func (t *Tree) Charge(id int32, usage float64) {
	for ; id >= 0; id = t.nodes[id].parent {
		t.nodes[id].usage += usage
	}
}

// Scale multiplies all usage by a factor.
func (t *Tree) Scale(by float64) {
	for i := range t.nodes {
		t.nodes[i].usage *= by
	}
}

// Usage is the decayed usage of a node, including the nodes below it.
func (t *Tree) Usage(id int32) float64 { return t.nodes[id].usage }

// Shares is the raw shares of a node.
func (t *Tree) Shares(id int32) float64 { return t.nodes[id].shares }

// Factor is the fair-share factor of a user, from 0 to 1, as the last Classic or FairTree gave it;
// 1 before the first.
func (t *Tree) Factor(id int32) float64 { return t.nodes[id].factor }

// Clone gives an independent copy.
func (t *Tree) Clone() *Tree {
	c := &Tree{nodes: slices.Clone(t.nodes), users: t.users}
	for i := range c.nodes {
		c.nodes[i].children = slices.Clone(c.nodes[i].children)
	}
	return c
}
