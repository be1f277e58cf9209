package plan

// node is a waiting job in the tree of its class. The nodes of all trees lie in one slice
// indexed by JobID, so a job costs no allocation wherever it moves.
type node struct {
	key float64
	// weight is the job's second measure, least the smallest weight of its subtree.
	weight, least float64
	left, right   int32
	class         int32
	in            bool
}

const none = int32(-1)

// forest is a set of treaps over disjoint sets of jobs, each ordered by (key, JobID). The heap
// priority of a node is a hash of its JobID: balanced in expectation and the same in every run.
type forest []node

func (f forest) before(a, b int32) bool {
	if ka, kb := f[a].key, f[b].key; ka != kb {
		return ka < kb
	}
	return a < b
}

// priority mixes the bits of a JobID (the finaliser of MurmurHash3).
func priority(j int32) uint32 {
	h := uint32(j) + 0x9e3779b9
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

func (f forest) pull(i int32) {
	n := &f[i]
	n.least = n.weight
	if n.left != none {
		n.least = min(n.least, f[n.left].least)
	}
	if n.right != none {
		n.least = min(n.least, f[n.right].least)
	}
}

// insert adds j, whose key and weight are set, and gives the new root.
func (f forest) insert(root, j int32) int32 {
	switch {
	case root == none:
		f[j].left, f[j].right, f[j].least = none, none, f[j].weight
		return j
	case priority(j) > priority(root):
		f[j].left, f[j].right = f.split(root, j)
		f.pull(j)
		return j
	case f.before(j, root):
		f[root].left = f.insert(f[root].left, j)
	default:
		f[root].right = f.insert(f[root].right, j)
	}
	f[root].least = min(f[root].least, f[j].weight)
	return root
}

// plant makes a tree of a chain, which is in order, and gives its root; spine is scratch.
func (f forest) plant(chain int32, spine []int32) (int32, []int32) {
	spine = spine[:0]
	for j := chain; j != none; {
		next, under := f[j].right, none
		for n := len(spine); n > 0 && priority(spine[n-1]) < priority(j); n = len(spine) {
			under, spine = spine[n-1], spine[:n-1]
			f.pull(under)
		}
		f[j].left, f[j].right = under, none
		if n := len(spine); n > 0 {
			f[spine[n-1]].right = j
		}
		spine = append(spine, j)
		j = next
	}
	for i := len(spine) - 1; i >= 0; i-- {
		f.pull(spine[i])
	}
	return spine[0], spine
}

// list appends the jobs of a tree in order.
func (f forest) list(dst []int32, root int32) []int32 {
	if root == none {
		return dst
	}
	return f.list(append(f.list(dst, f[root].left), root), f[root].right)
}

// split parts a tree into what precedes j and what follows it.
func (f forest) split(root, j int32) (lo, hi int32) {
	if root == none {
		return none, none
	}
	if f.before(root, j) {
		lo, hi = f.split(f[root].right, j)
		f[root].right = lo
		f.pull(root)
		return root, hi
	}
	lo, hi = f.split(f[root].left, j)
	f[root].left = hi
	f.pull(root)
	return lo, root
}

func (f forest) merge(lo, hi int32) int32 {
	switch {
	case lo == none:
		return hi
	case hi == none:
		return lo
	case priority(lo) > priority(hi):
		f[lo].right = f.merge(f[lo].right, hi)
		f.pull(lo)
		return lo
	}
	f[hi].left = f.merge(lo, f[hi].left)
	f.pull(hi)
	return hi
}

// remove takes j, which is in the tree, out of it.
func (f forest) remove(root, j int32) int32 {
	switch {
	case root == j:
		return f.merge(f[j].left, f[j].right)
	case f.before(j, root):
		f[root].left = f.remove(f[root].left, j)
	default:
		f[root].right = f.remove(f[root].right, j)
	}
	f.pull(root)
	return root
}

func (f forest) first(root int32) int32 {
	if root == none {
		return none
	}
	for f[root].left != none {
		root = f[root].left
	}
	return root
}

// within is the first node whose weight is at most bound, none when there is none.
func (f forest) within(root int32, bound float64) int32 {
	if root == none || !(f[root].least <= bound) {
		return none
	}
	for {
		switch n := &f[root]; {
		case n.left != none && f[n.left].least <= bound:
			root = n.left
		case n.weight <= bound:
			return root
		default:
			root = n.right
		}
	}
}
