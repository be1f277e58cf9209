package cells

import "fmt"

// SetBad reports whether a node is bad. Groups on it stay; new ones do not come there.
func (c *Cluster) SetBad(node string, bad bool) error {
	if c.nodes[node] == nil {
		return fmt.Errorf("there is no node %q", node)
	}
	c.mark(node, bad)
	return nil
}

func (c *Cluster) mark(node string, bad bool) {
	for _, n := range c.nodes[node] {
		for l := 1; l <= n.level; l++ {
			for _, x := range n.at(l, nil) {
				x.bad = bad
			}
		}
		for x := n.parent; x != nil; x = x.parent {
			x.bad = false
			for _, k := range x.children {
				x.bad = x.bad || k.bad
			}
		}
		c.doom(n.chain)
	}
}

// doom binds free cells of a tenant to bad physical ones while it has more of them than there are
// healthy free ones, so that its placement avoids them, and unbinds them when it has not. It
// changes nothing where no node is bad.
func (c *Cluster) doom(ch *chain) {
	for _, t := range c.vcs {
		for _, q := range t.quotas {
			if q.chain == ch {
				c.undoom(q)
			}
		}
	}
	for l := ch.top(); l > 0; l-- {
		for _, t := range c.vcs {
			for _, q := range t.quotas {
				for q.chain == ch && q.free[l] > ch.healthy(l) && q.condemn(l) {
				}
			}
		}
	}
}

// undoom unbinds unused doomed cells: cells whose physical cells are healthy again, and cells that
// healthy ones can serve.
func (c *Cluster) undoom(q *quota) {
	for _, r := range q.roots {
		if r.doomed && len(r.used) == 0 && (!r.peer.bad || q.free[r.level] < q.chain.healthy(r.level)) {
			r.doomed = false
			unbind(r)
		}
	}
}

// condemn binds one free cell of a level to a bad one, the first for which all tenants keep what
// they bought.
func (q *quota) condemn(level int) bool {
	for l := level; l <= q.chain.top(); l++ {
		if len(q.chain.free[l]) == 0 || !safe(q.chain.counts(), q.chain.promised, q.chain.kids, l, level) {
			continue
		}
		for _, f := range q.chain.free[l] {
			for _, p := range f.at(level, nil) {
				if !p.bad {
					continue
				}
				for _, r := range q.roots {
					if r.level == level && r.peer == nil {
						r.doomed = true
						bind(r, p)
						return true
					}
				}
			}
		}
	}
	return false
}

// healthy counts the healthy cells of a level that are free or part of a free one.
func (ch *chain) healthy(level int) (n int) {
	for l := level; l <= ch.top(); l++ {
		for _, f := range ch.free[l] {
			if !f.bad {
				n += ch.size[l] / ch.size[level]
				continue
			}
			for _, x := range f.at(level, nil) {
				if !x.bad {
					n++
				}
			}
		}
	}
	return n
}
