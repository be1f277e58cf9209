package assign

import "math"

// stage grows alternating trees from all unmatched vertices until one more edge is matched. False =
// the matching is optimal.
func (m *Matcher) stage(largest bool) bool {
	for b := range m.nodes {
		d := &m.nodes[b]
		d.label, d.came, d.best, d.bests, d.listed = none, -1, -1, d.bests[:0], false
	}
	clear(m.tight)
	m.queue = m.queue[:0]
	for v := range m.n {
		if m.mate[v] < 0 && m.nodes[m.top[v]].label == none {
			m.grow(v, outer, -1)
		}
	}
	for !m.scan() {
		if !m.shift(largest) {
			return false
		}
	}
	for b := m.n; b < len(m.nodes); b++ {
		if d := &m.nodes[b]; m.exists(b) && d.parent < 0 && d.label == outer && d.dual == 0 {
			m.dissolve(b)
		}
	}
	return true
}

// grow labels the outermost node of vertex v, reached by an arc into v (-1 = a root). The mate of
// an inner node becomes outer.
func (m *Matcher) grow(v int, as label, arc int) {
	for {
		b := m.top[v]
		for _, x := range [2]int{v, b} {
			d := &m.nodes[x]
			d.label, d.came, d.best = as, arc, -1
		}
		if as == outer {
			m.queue = append(m.queue, m.leaves(b)...)
			return
		}
		arc = m.mate[m.nodes[b].base]
		v, as = m.head(arc), outer
	}
}

// leaves lists the vertices of a node, valid until the next call.
func (m *Matcher) leaves(b int) []int {
	m.stack = append(m.stack[:0], b)
	for i := 0; i < len(m.stack); {
		if x := m.stack[i]; x >= m.n {
			kids := m.nodes[x].kids
			m.stack[i] = kids[0]
			m.stack = append(m.stack, kids[1:]...)
		} else {
			i++
		}
	}
	return m.stack
}

// scan looks at the edges of outer vertices: it grows trees along those without slack and shrinks
// odd cycles. True = two trees met, and the path between their roots was matched.
func (m *Matcher) scan() bool {
	for len(m.queue) > 0 {
		v := m.queue[len(m.queue)-1]
		m.queue = m.queue[:len(m.queue)-1]
		for _, arc := range m.out[v] {
			w := m.head(arc)
			if m.top[v] == m.top[w] {
				continue
			}
			if !m.tight[arc>>1] {
				slack := m.slack(arc)
				if slack > 0 {
					m.note(arc, slack)
					continue
				}
				m.tight[arc>>1] = true
			}
			if m.follow(arc) {
				return true
			}
		}
	}
	return false
}

// note keeps an arc out of an outer node if it has the least slack of the arcs to be made tight.
func (m *Matcher) note(arc int, slack float64) {
	at := m.head(arc)
	switch {
	case m.nodes[m.top[at]].label == outer:
		at = m.top[m.tail(arc)]
	case m.nodes[at].label != none:
		return
	}
	if d := &m.nodes[at]; d.best < 0 || slack < m.slack(d.best) {
		d.best = arc
	}
}

// follow uses a tight arc from an outer node to another node. True = an augmenting path was
// matched.
func (m *Matcher) follow(arc int) bool {
	w := m.head(arc)
	switch m.nodes[m.top[w]].label {
	case none:
		m.grow(w, inner, arc)
	case outer:
		base := m.meet(m.tail(arc), w)
		if base < 0 {
			m.augment(arc)
			return true
		}
		m.shrink(base, arc)
	case inner:
		// w lies inside of an inner blossom: should that dissolve, this is a way to w.
		if d := &m.nodes[w]; d.label == none {
			d.label, d.came = inner, arc
		}
	}
	return false
}

// shift moves the duals until another edge is tight or the dual of an inner blossom is 0. False =
// the matching is optimal.
func (m *Matcher) shift(largest bool) bool {
	delta, arc, blossom := m.least(largest)
	switch {
	case arc < 0 && blossom < 0 && largest:
		return false
	case arc < 0 && blossom < 0:
		m.move(delta)
		return false
	}
	m.move(delta)
	if blossom >= 0 {
		m.open(blossom)
		return true
	}
	m.tight[arc>>1] = true
	m.queue = append(m.queue, m.tail(arc))
	return true
}

// least finds how far the duals can move and what stops them: an arc, an inner blossom or, with
// neither, that the duals of unmatched vertices reach 0.
func (m *Matcher) least(largest bool) (delta float64, arc, blossom int) {
	delta, arc, blossom = math.Inf(1), -1, -1
	if !largest {
		for v := range m.n {
			delta = min(delta, m.nodes[v].dual)
		}
	}
	for v := range m.n {
		if d := &m.nodes[v]; d.best >= 0 && m.nodes[m.top[v]].label == none {
			if s := m.slack(d.best); s < delta {
				delta, arc = s, d.best
			}
		}
	}
	for b := range m.nodes {
		d := &m.nodes[b]
		if d.parent >= 0 || !m.exists(b) {
			continue
		}
		if d.label == outer && d.best >= 0 {
			if s := m.slack(d.best) / 2; s < delta {
				delta, arc, blossom = s, d.best, -1
			}
		}
		if b >= m.n && d.label == inner && d.dual < delta {
			delta, arc, blossom = d.dual, -1, b
		}
	}
	return max(delta, 0), arc, blossom
}

// move changes the duals by delta: down at outer vertices, up at inner ones, so that edges of the
// trees stay tight.
func (m *Matcher) move(delta float64) {
	for v := range m.n {
		switch m.nodes[m.top[v]].label {
		case outer:
			m.nodes[v].dual -= delta
		case inner:
			m.nodes[v].dual += delta
		}
	}
	for b := m.n; b < len(m.nodes); b++ {
		if d := &m.nodes[b]; m.exists(b) && d.parent < 0 {
			switch d.label {
			case outer:
				d.dual += delta
			case inner:
				d.dual -= delta
			}
		}
	}
}
