package fairshare

import (
	"math"
	"slices"
)

// FairTree sets the factors by Fair Tree. The level fairshare of a node is LF = S/U: S is its part
// of the shares of its siblings, U its part of their usage, and LF is infinite while they have
// none. The tree is walked depth first, siblings by falling LF, and users are ranked as they are
// found: the first has rank n of n users, the next n - 1. The factor is rank/n.
//
// Ties: users with the same LF have the same rank. Sibling accounts with the same LF are walked as
// one. A user with the LF of a sibling account has the rank of the first user of that account.
func (t *Tree) FairTree() {
	for i := 1; i < len(t.nodes); i++ {
		n := &t.nodes[i]
		p := &t.nodes[n.parent]
		n.fair = math.Inf(1)
		if n.usage > 0 && p.usage > 0 {
			n.fair = n.shares / p.level / (n.usage / p.usage)
		}
	}
	t.rank, t.next = t.users, t.users
	t.line = append(t.line[:0], t.nodes[Root].children...)
	t.walk(0, false)
}

// walk ranks the users below the nodes of line from an index on, and takes these nodes off the
// line. tied states that the first of them has the rank of the user before.
func (t *Tree) walk(from int, tied bool) {
	to := len(t.line)
	slices.SortFunc(t.line[from:to], func(a, b int32) int { return t.before(&t.nodes[a], &t.nodes[b]) })
	last, first := math.NaN(), true
	for i := from; i < to; i++ {
		n := &t.nodes[t.line[i]]
		same := first && tied || n.fair == last
		last, first = n.fair, false
		if n.user {
			if !same {
				t.rank = t.next
			}
			n.factor = float64(t.rank) / float64(t.users)
			t.next--
			continue
		}
		t.line = append(t.line, n.children...)
		for i+1 < to && t.nodes[t.line[i+1]].fair == n.fair {
			i++
			t.line = append(t.line, t.nodes[t.line[i]].children...)
		}
		t.walk(to, same)
	}
	t.line = t.line[:from]
}

// before orders siblings: high level fairshare first, users before accounts. The order of equals
// changes nothing.
func (t *Tree) before(a, b *node) int {
	switch {
	case a.fair > b.fair:
		return -1
	case a.fair < b.fair:
		return 1
	case a.user == b.user:
		return 0
	case a.user:
		return -1
	}
	return 1
}
