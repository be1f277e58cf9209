package cells

import "slices"

// slot is a GPU of a group: the physical one, and the virtual one of a guaranteed group (nil =
// opportunistic or downgraded).
type slot struct{ p, v *cell }

// hold gives a slot's GPU to a group and binds the virtual cells on the way up.
func (s slot) hold(g *group) {
	prio := Opportunistic
	if s.v != nil {
		prio = g.prio
		s.v.prio, s.v.group = prio, g
		count(s.v, prio, 1)
		bind(s.v, s.p)
	}
	s.p.prio = prio
	count(s.p, prio, 1)
}

// release undoes hold.
func (s slot) release() {
	count(s.p, s.p.prio, -1)
	s.p.prio = idle
	if s.v != nil {
		count(s.v, s.v.prio, -1)
		s.v.prio, s.v.group = idle, nil
		unbind(s.v)
	}
}

// bind binds a virtual cell and those above that are not.
func bind(v, p *cell) {
	for ; v != nil && v.peer == nil; v, p = v.parent, p.parent {
		v.peer, p.peer = p, v
		if q := v.quota; q != nil {
			q.chain.take(p)
			q.free[v.level]--
			q.chain.promised[v.level]--
		}
	}
}

// unbind unbinds a virtual cell without bound children, and those above that have none left.
func unbind(v *cell) {
	for ; v != nil && v.peer != nil && !v.static && !v.doomed; v = v.parent {
		if slices.ContainsFunc(v.children, func(k *cell) bool { return k.peer != nil }) {
			return
		}
		p := v.peer
		v.peer, p.peer = nil, nil
		if q := v.quota; q != nil {
			q.chain.give(p)
			q.free[v.level]++
			q.chain.promised[v.level]++
		}
	}
}
