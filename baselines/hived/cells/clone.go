package cells

import (
	"slices"
)

// copier copies what points at one another.
type copier struct {
	cells  map[*cell]*cell
	groups map[*group]*group
	quotas map[*quota]*quota
	chains map[*chain]*chain
}

// Clone gives an independent copy.
func (c *Cluster) Clone() *Cluster {
	k := copier{cells: map[*cell]*cell{}, groups: map[*group]*group{}, quotas: map[*quota]*quota{},
		chains: map[*chain]*chain{}}
	out := &Cluster{groups: map[string]*group{}, pods: map[string]*group{}, nodes: map[string][]*cell{},
		names: c.names, pins: map[string]*cell{}}
	for _, ch := range c.chains {
		d := *ch
		k.chains[ch] = &d
		d.tops = k.trees(ch.tops)
		out.chains = append(out.chains, &d)
	}
	for _, t := range c.vcs {
		d := &tenant{name: t.name, pinned: map[string]*quota{}}
		for _, q := range t.quotas {
			d.quotas = append(d.quotas, k.quota(q))
		}
		for name, q := range t.pinned {
			d.pinned[name] = k.quota(q)
		}
		out.vcs = append(out.vcs, d)
	}
	for name, g := range c.groups {
		out.groups[name] = k.group(g)
	}
	for pod, g := range c.pods {
		out.pods[pod] = k.group(g)
	}
	for old, x := range k.cells {
		x.peer, x.group, x.claim, x.quota = k.cells[old.peer], k.groups[old.group], k.groups[old.claim],
			k.quotas[old.quota]
	}
	for ch, d := range k.chains {
		d.nodes, d.promised = k.all(ch.nodes), slices.Clone(ch.promised)
		d.free = make([][]*cell, len(ch.free))
		for l, f := range ch.free {
			d.free[l] = k.all(f)
		}
	}
	for q, d := range k.quotas {
		d.view = k.all(q.view)
	}
	for name, list := range c.nodes {
		out.nodes[name] = k.all(list)
	}
	for name, x := range c.pins {
		out.pins[name] = k.cells[x]
	}
	return out
}

// trees copies cells and all below.
func (k *copier) trees(list []*cell) []*cell {
	out := make([]*cell, len(list))
	for i, c := range list {
		d := *c
		d.chain, d.used, d.leaves = k.chains[c.chain], slices.Clone(c.used), nil
		out[i] = &d
		k.cells[c] = &d
		d.children = k.trees(c.children)
		for _, x := range d.children {
			x.parent = &d
		}
	}
	return out
}

// all gives the copies of cells.
func (k *copier) all(list []*cell) []*cell {
	out := make([]*cell, len(list))
	for i, c := range list {
		out[i] = k.cells[c]
	}
	return out
}

func (k *copier) quota(q *quota) *quota {
	d := &quota{chain: k.chains[q.chain], free: slices.Clone(q.free), roots: k.trees(q.roots)}
	k.quotas[q] = d
	return d
}

// group copies a group; all cells are copied already.
func (k *copier) group(g *group) *group {
	if d := k.groups[g]; d != nil {
		return d
	}
	d := *g
	k.groups[g] = &d
	d.asking = slices.Clone(g.asking)
	d.pods = slices.Clone(g.pods)
	for i := range d.pods {
		d.pods[i].slots = slices.Clone(g.pods[i].slots)
		for n := range d.pods[i].slots {
			s := &d.pods[i].slots[n]
			s.p, s.v = k.cells[s.p], k.cells[s.v]
		}
	}
	return &d
}
