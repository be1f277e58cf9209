package cells

import (
	"fmt"
	"slices"
)

// Place is where a pod is: a node and indices of its GPUs.
type Place struct {
	Node string
	GPUs []int
}

// Placed is a bound pod in words that outlive a configuration.
type Placed struct {
	Pod Pod
	// At is the pod's place, Group the places of all pods of its group, ascending by size.
	At    Place
	Group []Place
	// Chain is the type of the top cells, Bought the type of the tenant's cell for each GPU of each
	// place; empty = opportunistic.
	Chain  string
	Bought [][]string
}

// Placed gives what Adopt needs of a bound pod. Ask when it is bound: a group that is downgraded
// later has lost what it was bound with.
func (c *Cluster) Placed(pod string) (Placed, error) {
	g := c.pods[pod]
	if g == nil || g.state == Preempting {
		return Placed{}, fmt.Errorf("there is no bound pod %q", pod)
	}
	out := Placed{Pod: g.spec}
	for i := range g.pods {
		m := &g.pods[i]
		if m.pod == pod {
			out.At, out.Pod.Name, out.Pod.GPUs = m.place(), pod, m.size
		}
		out.Group = append(out.Group, m.place())
		bought := make([]string, len(m.slots))
		for k, s := range m.slots {
			if s.p != nil {
				out.Chain = s.p.chain.name
			}
			if s.v != nil {
				bought[k] = s.v.chain.types[s.v.root().level]
			}
		}
		out.Bought = append(out.Bought, bought)
	}
	return out, nil
}

// Adopt gives a pod that runs already its place in this cluster, whose configuration may be another
// one. It never ends a pod: GPUs that are in no configuration are ignored, and a group whose cells
// the tenant has no more is downgraded, as are weaker groups whose cells it takes. An error changes
// nothing: the place is another group's, or the statements about the pod contradict each other.
func (c *Cluster) Adopt(p Placed) error {
	g := c.groups[p.Pod.Group]
	if g == nil {
		var err error
		if g, err = c.adopted(&p); err != nil {
			return err
		}
		if err := c.occupy(g, &p); err != nil {
			return err
		}
	}
	if c.pods[p.Pod.Name] != nil || g.state == Preempting {
		return fmt.Errorf("pod %s has a place, or its group is about to get one", p.Pod.Name)
	}
	for i := range g.pods {
		m := &g.pods[i]
		if at := m.place(); m.pod == "" && m.size == p.Pod.GPUs && at.Node == p.At.Node &&
			slices.Equal(at.GPUs, p.At.GPUs) {
			m.pod = p.Pod.Name
			c.pods[m.pod] = g
			c.settle()
			return nil
		}
	}
	return fmt.Errorf("pod %s: group %s has no such place", p.Pod.Name, g.name)
}

// adopted makes the group of a pod, without GPUs.
func (c *Cluster) adopted(p *Placed) (*group, error) {
	n := sizes(p.Pod.Members)
	if c.tenant(p.Pod.VC) == nil || p.Pod.Group == "" || p.Pod.Name == "" || len(n) != len(p.Group) ||
		len(n) != len(p.Bought) {
		return nil, fmt.Errorf("pod %q of VC %q: a group of %d pods has %d places, expected a known VC and a place "+
			"for each", p.Pod.Name, p.Pod.VC, len(n), len(p.Group))
	}
	g := &group{name: p.Pod.Group, spec: p.Pod, prio: p.Pod.Priority, state: Allocated}
	found := false
	for i, size := range n {
		at := p.Group[i]
		if len(at.GPUs) != size || len(p.Bought[i]) != size {
			return nil, fmt.Errorf("pod %s: a place has %d GPUs, expected %d", p.Pod.Name, len(at.GPUs), size)
		}
		found = found || at.Node == p.At.Node && slices.Equal(at.GPUs, p.At.GPUs) && size == p.Pod.GPUs
		g.pods = append(g.pods, member{size: size, slots: make([]slot, size),
			was: &Place{at.Node, slices.Clone(at.GPUs)}})
	}
	if !found {
		return nil, fmt.Errorf("pod %s: group %s has no such place", p.Pod.Name, g.name)
	}
	return g, nil
}

// occupy gives an adopted group its GPUs.
func (c *Cluster) occupy(g *group, p *Placed) error {
	for i := range g.pods {
		for k := range g.pods[i].slots {
			x := c.gpu(p.Chain, g.pods[i].was.Node, g.pods[i].was.GPUs[k])
			if x != nil && (x.group != nil || x.claim != nil) {
				return fmt.Errorf("pod %s: GPU %d of node %s is another group's", p.Pod.Name, x.gpu, x.node)
			}
			g.pods[i].slots[k].p = x
		}
	}
	c.groups[g.name] = g
	lost := false
	for i := range g.pods {
		for k := range g.pods[i].slots {
			s := &g.pods[i].slots[k]
			if s.p == nil {
				continue
			}
			if g.prio > Opportunistic && !lost {
				if bought := p.Bought[i][k]; bought != "" {
					s.v = c.virtual(g, s.p, bought)
				}
				lost = s.v == nil
			}
			s.hold(g)
			s.p.group = g
			ch := s.p.chain
			lost = lost || unsafe(ch.counts(), ch.promised, ch.kids) > 0
		}
	}
	if lost {
		g.opportune()
	}
	return nil
}

// gpu finds a GPU in a chain, else in any.
func (c *Cluster) gpu(chain, node string, index int) (found *cell) {
	for _, n := range c.nodes[node] {
		for _, x := range n.at(1, nil) {
			if x.gpu == index && (found == nil || x.chain.name == chain) {
				found = x
			}
		}
	}
	return found
}

// virtual finds the virtual GPU for a physical one among what the tenant bought of a type; nil = it
// has none that is free or whose users are weaker. Weaker users are downgraded.
func (c *Cluster) virtual(g *group, p *cell, bought string) *cell {
	level := slices.Index(p.chain.types, bought)
	t := c.tenant(g.spec.VC)
	var q *quota
	if g.spec.Pinned != "" {
		q = t.pinned[g.spec.Pinned]
	} else if i := slices.IndexFunc(t.quotas, func(q *quota) bool { return q.chain == p.chain }); i >= 0 {
		q = t.quotas[i]
	}
	if level < 1 || q == nil || q.chain != p.chain {
		return nil
	}
	top := p.up(level)
	root := top.peer
	if root == nil {
		if covered(top) {
			return nil
		}
		root = c.vacate(q, level, g.prio)
	}
	if root == nil || root.quota != q {
		return nil
	}
	return c.below(root, p, g.prio)
}

// covered reports whether a cell above or below is bound.
func covered(p *cell) bool {
	for x := p.parent; x != nil; x = x.parent {
		if x.peer != nil {
			return true
		}
	}
	return bound(p)
}

func bound(p *cell) bool { return p.peer != nil || slices.ContainsFunc(p.children, bound) }

// vacate gives a bought cell that is not bound, else the one with the weakest users, who are
// downgraded.
func (c *Cluster) vacate(q *quota, level, prio int) *cell {
	var best *cell
	for _, r := range q.roots {
		switch {
		case r.level != level || r.static:
		case r.peer == nil:
			return r
		case !r.doomed && len(r.used) > 0 && r.strongest() < prio && (best == nil || r.strongest() < best.strongest()):
			best = r
		}
	}
	if best != nil {
		c.evict(best)
	}
	if best == nil || best.peer != nil {
		return nil
	}
	return best
}

// below finds the virtual GPU for p within a root that is, or will be, bound to a cell above p.
func (c *Cluster) below(root, p *cell, prio int) *cell {
	v := root
	for l := root.level - 1; l > 0; l-- {
		x := p.up(l)
		if x.peer != nil {
			v = x.peer
			continue
		}
		var best *cell
		for _, k := range v.children {
			if k.peer == nil {
				best = k
				break
			}
			if len(k.used) > 0 && k.strongest() < prio && (best == nil || k.strongest() < best.strongest()) {
				best = k
			}
		}
		if best != nil && best.peer != nil {
			c.evict(best)
		}
		if best == nil || best.peer != nil {
			return nil
		}
		v = best
	}
	if v.group != nil {
		return nil
	}
	return v
}

// evict downgrades the groups that use a virtual cell.
func (c *Cluster) evict(v *cell) {
	for _, x := range v.at(1, nil) {
		if u := x.group; u != nil && u.state == Allocated {
			u.opportune()
		} else if u != nil {
			c.cancel(u)
		}
	}
}

// strongest is the highest priority of who uses a cell.
func (c *cell) strongest() int {
	best := idle
	for _, t := range c.used {
		best = max(best, t.prio)
	}
	return best
}

// root is the bought cell that a virtual one is part of.
func (c *cell) root() *cell {
	for c.parent != nil {
		c = c.parent
	}
	return c
}
