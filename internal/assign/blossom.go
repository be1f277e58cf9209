package assign

import "slices"

// meet walks from two outer vertices towards their roots in turn. It gives the base of the first
// node that both reach, -1 = the trees are different.
func (m *Matcher) meet(v, w int) int {
	base := -1
	m.path = m.path[:0]
	for v >= 0 {
		b := m.top[v]
		if m.nodes[b].seen {
			base = m.nodes[b].base
			break
		}
		m.nodes[b].seen = true
		m.path = append(m.path, b)
		v = -1
		if c := m.nodes[b].came; c >= 0 {
			v = m.tail(m.nodes[m.top[m.tail(c)]].came)
		}
		if w >= 0 {
			v, w = w, v
		}
	}
	for _, b := range m.path {
		m.nodes[b].seen = false
	}
	return base
}

// shrink makes a blossom of the cycle that an arc between two outer nodes closes above the node
// with a base.
func (m *Matcher) shrink(base, arc int) {
	b := m.free[len(m.free)-1]
	m.free = m.free[:len(m.free)-1]
	d := &m.nodes[b]
	root := m.top[base]
	d.label, d.parent, d.base, d.came, d.dual = outer, -1, base, m.nodes[root].came, 0
	d.kids, d.links = d.kids[:0], d.links[:0]
	for k := m.top[m.tail(arc)]; k != root; { // from the arc down to the root, then turned around
		c := m.nodes[k].came
		d.kids, d.links = append(d.kids, k), append(d.links, c)
		k = m.top[m.tail(c)]
	}
	d.kids = append(d.kids, root)
	slices.Reverse(d.kids)
	slices.Reverse(d.links)
	d.links = append(d.links, arc)
	for k := m.top[m.head(arc)]; k != root; {
		c := m.nodes[k].came
		d.kids, d.links = append(d.kids, k), append(d.links, c^1)
		k = m.top[m.tail(c)]
	}
	for _, k := range d.kids {
		m.nodes[k].parent = b
	}
	for _, v := range m.leaves(b) {
		if m.nodes[m.top[v]].label == inner {
			m.queue = append(m.queue, v)
		}
		m.top[v] = b
	}
	m.collect(b)
}

// collect finds a new blossom's arcs of least slack to each other outer node.
func (m *Matcher) collect(b int) {
	d := &m.nodes[b]
	d.best, d.bests, d.listed = -1, d.bests[:0], true
	look := func(arcs []int) {
		for _, a := range arcs {
			to := m.top[m.head(a)]
			if to == b || m.nodes[to].label != outer {
				continue
			}
			if m.near[to] < 0 {
				d.bests = append(d.bests, to)
			}
			if m.near[to] < 0 || m.slack(a) < m.slack(m.near[to]) {
				m.near[to] = a
			}
		}
	}
	for _, k := range d.kids {
		kid := &m.nodes[k]
		if kid.listed {
			look(kid.bests)
		} else {
			for _, v := range m.leaves(k) {
				look(m.out[v])
			}
		}
		kid.best, kid.bests, kid.listed = -1, kid.bests[:0], false
	}
	for i, to := range d.bests { // from nodes to the arcs to them
		a := m.near[to]
		d.bests[i], m.near[to] = a, -1
		if d.best < 0 || m.slack(a) < m.slack(d.best) {
			d.best = a
		}
	}
}

// release makes a blossom's nodes outermost, and its number free.
func (m *Matcher) release(b int) {
	d := &m.nodes[b]
	for _, k := range d.kids {
		m.nodes[k].parent = -1
		for _, v := range m.leaves(k) {
			m.top[v] = k
		}
	}
	d.label, d.base, d.came, d.best, d.dual = none, -1, -1, -1, 0
	d.kids, d.links, d.bests, d.listed = d.kids[:0], d.links[:0], d.bests[:0], false
	m.free = append(m.free, b)
}

// dissolve releases a blossom between two stages, with its inner blossoms that have no dual either.
func (m *Matcher) dissolve(b int) {
	kids := slices.Clone(m.nodes[b].kids)
	m.release(b)
	for _, k := range kids {
		if k >= m.n && m.nodes[k].dual == 0 {
			m.dissolve(k)
		}
	}
}

// round walks the cycle of a blossom from the node at index i to the base, over a matched edge
// first where there is a choice: step is the direction that takes an even number of steps.
type round struct {
	kids, links []int
	i, step     int
}

// walk starts at the node that holds a vertex or node k directly.
func (d *node) walk(k int) round {
	r := round{d.kids, d.links, slices.Index(d.kids, k), -1}
	if r.i&1 == 1 {
		r.step = 1
	}
	return r
}

// kid is the node that the walk is at.
func (r *round) kid() int { return r.kids[r.i] }

// next takes a step and gives the arc that it went along.
func (r *round) next() int {
	n := len(r.kids)
	arc := r.links[r.i]
	if r.step < 0 {
		arc = r.links[(r.i+n-1)%n] ^ 1
	}
	r.i = (r.i + r.step + n) % n
	return arc
}

// open releases an inner blossom in the middle of a stage. Of its nodes, those on the way from
// where it was reached to its base stay in the tree, inner and outer in turn; the others do only if
// an outer node reaches them.
func (m *Matcher) open(b int) {
	arc := m.nodes[b].came
	kids, links := slices.Clone(m.nodes[b].kids), slices.Clone(m.nodes[b].links)
	m.release(b)
	cycle := node{kids: kids, links: links}
	entry := m.top[m.head(arc)]
	r := cycle.walk(entry)
	for r.i != 0 {
		at := m.head(arc)
		out := r.next()
		m.nodes[at].label, m.nodes[m.head(out)].label = none, none
		m.tight[out>>1] = true
		m.grow(at, inner, arc)
		arc = r.next()
		m.tight[arc>>1] = true
	}
	for _, x := range [2]int{m.head(arc), r.kid()} { // its mate is outer already
		d := &m.nodes[x]
		d.label, d.came, d.best = inner, arc, -1
	}
	for r.next(); r.kid() != entry; r.next() {
		k := r.kid()
		if m.nodes[k].label == outer {
			continue
		}
		leaves := m.leaves(k)
		i := slices.IndexFunc(leaves, func(v int) bool { return m.nodes[v].label != none })
		if i >= 0 {
			v := leaves[i]
			m.nodes[m.head(m.mate[m.nodes[k].base])].label = none
			m.grow(v, inner, m.nodes[v].came)
		}
	}
}

// augment matches the path between two roots that an arc closes.
func (m *Matcher) augment(arc int) {
	for _, a := range [2]int{arc, arc ^ 1} {
		for {
			v := m.tail(a)
			b := m.top[v]
			m.rebase(b, v)
			m.mate[v] = a
			c := m.nodes[b].came
			if c < 0 {
				break
			}
			a = m.nodes[m.top[m.tail(c)]].came // into the inner node before
			m.rebase(m.top[m.tail(c)], m.head(a))
			m.mate[m.head(a)] = a ^ 1
		}
	}
}

// rebase matches the vertices of a node anew such that v is the one left over.
func (m *Matcher) rebase(b, v int) {
	if b < m.n {
		return
	}
	k := v
	for m.nodes[k].parent != b {
		k = m.nodes[k].parent
	}
	m.rebase(k, v)
	d := &m.nodes[b]
	r := d.walk(k)
	from := r.i
	for r.i != 0 {
		r.next()
		one := r.kid()
		arc := r.next()
		m.rebase(one, m.tail(arc))
		m.rebase(r.kid(), m.head(arc))
		m.mate[m.tail(arc)], m.mate[m.head(arc)] = arc, arc^1
	}
	turn(d.kids, from)
	turn(d.links, from)
	d.base = v
}

// turn rotates a slice so that the element at i is the first.
func turn(s []int, i int) {
	slices.Reverse(s[:i])
	slices.Reverse(s[i:])
	slices.Reverse(s)
}
