package cells

import (
	"fmt"
	"slices"
)

// addVC gives a tenant its virtual cells.
func (c *Cluster) addVC(v VC) error {
	t := &tenant{name: v.Name, pinned: map[string]*quota{}}
	if c.tenant(v.Name) != nil {
		return fmt.Errorf("two VCs have the name %q", v.Name)
	}
	for _, b := range v.Bought {
		if len(b.Path) == 0 || b.Cells < 0 {
			return fmt.Errorf("VC %s buys %d cells of path %q, expected 0 or more and a type", v.Name, b.Cells, b.Path)
		}
		i := slices.IndexFunc(c.chains, func(ch *chain) bool { return ch.name == b.Path[0] })
		if i < 0 {
			return fmt.Errorf("VC %s buys of %s, expected the type of a top cell", v.Name, b.Path[0])
		}
		if err := t.buy(c.chains[i], b); err != nil {
			return err
		}
	}
	// The order of the cluster's chains, not of the purchases.
	slices.SortStableFunc(t.quotas, func(a, b *quota) int {
		return slices.Index(c.chains, a.chain) -
			slices.Index(c.chains, b.chain)
	})
	for _, name := range v.Pinned {
		p := c.pins[name]
		for x := p; x != nil; x = x.parent {
			if x.peer != nil {
				p = nil
			}
		}
		if p == nil {
			return fmt.Errorf("VC %s has the pinned cell %q, expected one that exists and is free", v.Name,
				name)
		}
		q := &quota{chain: p.chain, free: make([]int, len(p.chain.kids))}
		root := p.chain.tree(p.level, nil)
		root.quota, root.static, root.peer, p.peer = q, true, p, root
		p.chain.take(p)
		q.roots = []*cell{root}
		q.look()
		t.pinned[name] = q
	}
	for _, q := range t.quotas {
		q.look()
	}
	c.vcs = append(c.vcs, t)
	return nil
}

func (t *tenant) buy(ch *chain, b Bought) error {
	for i, name := range b.Path {
		if l := ch.top() - i; l < 1 || ch.types[l] != name {
			return fmt.Errorf("VC %s buys %q, which is not a way down from a top cell", t.name, b.Path)
		}
	}
	level := ch.top() - len(b.Path) + 1
	i := slices.IndexFunc(t.quotas, func(q *quota) bool { return q.chain == ch })
	if i < 0 {
		i = len(t.quotas)
		t.quotas = append(t.quotas, &quota{chain: ch, free: make([]int, len(ch.kids))})
	}
	q := t.quotas[i]
	for range b.Cells {
		root := ch.tree(level, nil)
		root.quota = q
		q.roots = append(q.roots, root)
		q.free[level]++
		ch.promised[level]++
	}
	return nil
}

// look lists a quota's nodes.
func (q *quota) look() {
	for _, r := range q.roots {
		if r.level >= q.chain.node {
			q.view = r.at(q.chain.node, q.view)
		}
	}
	for l := q.chain.node - 1; l > 0; l-- {
		for _, r := range q.roots {
			if r.level == l {
				q.view = append(q.view, r)
			}
		}
	}
}

func (c *Cluster) tenant(name string) *tenant {
	for _, t := range c.vcs {
		if t.name == name {
			return t
		}
	}
	return nil
}

// VirtualCell is one of a tenant's cells.
type VirtualCell struct {
	// Used: a group has or reserved GPUs of it. Bad: it is bound to a physical cell with a bad
	// node.
	Used, Bad bool
}

// VirtualCells are the cells of a level (1 = GPU) that a tenant bought of a chain, with those
// within larger ones; pinned cells are left out.
func (c *Cluster) VirtualCells(vc, chain string, level int) (out []VirtualCell) {
	t := c.tenant(vc)
	if t == nil {
		return nil
	}
	for _, q := range t.quotas {
		if q.chain.name != chain {
			continue
		}
		for _, r := range q.roots {
			for _, x := range r.at(level, nil) {
				out = append(out, VirtualCell{Used: len(x.used) > 0, Bad: x.peer != nil && x.peer.bad})
			}
		}
	}
	return out
}

// Bought is the number of GPUs of the cells that a tenant bought, pinned cells included.
func (c *Cluster) Bought(vc string) (gpus int) {
	t := c.tenant(vc)
	if t == nil {
		return 0
	}
	for _, q := range t.quotas {
		for _, r := range q.roots {
			gpus += q.chain.size[r.level]
		}
	}
	for _, q := range t.pinned {
		gpus += q.chain.size[q.roots[0].level]
	}
	return gpus
}
