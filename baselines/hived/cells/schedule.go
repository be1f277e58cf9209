package cells

import (
	"fmt"
	"slices"
)

// Schedule decides about a pod; what it binds has its GPUs at once. An error is a request that can
// never be met (an unknown VC, a priority out of range, ...); it changes nothing.
func (c *Cluster) Schedule(p Pod, o Options) (Decision, error) {
	if err := c.check(&p); err != nil {
		return Decision{}, err
	}
	g := c.groups[p.Group]
	if g != nil && (g.spec.VC != p.VC || g.prio != p.Priority || !slices.Equal(g.spec.Members, p.Members)) {
		return Decision{}, fmt.Errorf("pod %s: group %s has another VC, priority or other members", p.Name, p.Group)
	}
	if g != nil && g.state != Preempting {
		return c.join(g, &p, o.Proposed)
	}
	if g != nil {
		if c.stands(g, o) {
			return c.again(g, &p, o)
		}
		c.cancel(g)
	}
	d, err := c.fresh(&p, o)
	c.settle()
	return d, err
}

// usable reports whether new groups may come to a physical cell of a node.
func (o *Options) usable(p *cell) bool {
	return !p.bad && (o.Suggested == nil || o.Suggested(p.node))
}

// stands reports whether the GPUs that a group reserved may be used.
func (c *Cluster) stands(g *group, o Options) bool {
	good := true
	g.each(func(s *slot) { good = good && o.usable(s.p) })
	return good
}

// again answers a pod of a preempting group.
func (c *Cluster) again(g *group, p *Pod, o Options) (Decision, error) {
	var where [][]*cell
	for _, m := range g.pods {
		var pod []*cell
		for _, s := range m.slots {
			pod = append(pod, s.p)
		}
		where = append(where, pod)
	}
	if v := victims(where, nil); len(v) > 0 {
		if !o.Filtering && !slices.Contains(g.asking, p.Name) {
			g.asking = append(g.asking, p.Name)
			c.pods[p.Name] = g
		}
		return Decision{Result: Preempt, Victims: v}, nil
	}
	if o.Proposed {
		return c.join(g, p, true)
	}
	for _, name := range g.asking {
		delete(c.pods, name)
	}
	g.promote()
	return c.join(g, p, false)
}

// fresh places a group whose first pod has come.
func (c *Cluster) fresh(p *Pod, o Options) (Decision, error) {
	n := sizes(p.Members)
	if p.Priority == Opportunistic {
		for _, ch := range c.chains {
			if p.GPUType != "" && p.GPUType != ch.gpuType {
				continue
			}
			if got := c.place(ch.nodes, n, Opportunistic, false, o.usable); got != nil {
				return c.settled(newGroup(p, n, got, nil), p, o)
			}
		}
		return Decision{}, nil
	}
	t := c.tenant(p.VC)
	quotas := t.quotas
	if p.Pinned != "" {
		quotas = []*quota{t.pinned[p.Pinned]}
	}
	for _, q := range quotas {
		if p.GPUType != "" && p.GPUType != q.chain.gpuType {
			continue
		}
		if d, ok, err := c.guaranteed(q, p, n, o); ok || err != nil {
			return d, err
		}
	}
	return Decision{}, nil
}

// guaranteed places a group within a quota; false = it has no place there.
func (c *Cluster) guaranteed(q *quota, p *Pod, n []int, o Options) (Decision, bool, error) {
	usable := func(v *cell) bool { return v.peer == nil || o.usable(v.peer) }
	// First without ending a pod of the VC, then over lower priorities.
	virtual := c.place(q.view, n, Opportunistic, true, usable)
	if virtual == nil {
		virtual = c.place(q.view, n, p.Priority, true, usable)
	}
	if virtual == nil {
		return Decision{}, false, nil
	}
	lazy := downgrade(virtual)
	got := toPhysical(q.chain, virtual, o.usable)
	if got == nil {
		revert(lazy)
		return Decision{}, false, nil
	}
	physical := make([][]*cell, len(virtual))
	for i, pod := range virtual {
		for _, v := range pod {
			physical[i] = append(physical[i], got[v])
		}
	}
	v := victims(physical, nil)
	if len(v) > 0 && o.Filtering {
		revert(lazy)
		return Decision{Result: Preempt, Victims: v}, true, nil
	}
	g := newGroup(p, n, physical, virtual)
	if len(v) > 0 {
		c.commit(g, true)
		g.asking = []string{p.Name}
		c.pods[p.Name] = g
		return Decision{Result: Preempt, Victims: v}, true, nil
	}
	d, err := c.settled(g, p, o)
	return d, true, err
}

// settled binds the first pod of a group whose place is unused.
func (c *Cluster) settled(g *group, p *Pod, o Options) (Decision, error) {
	if !o.Proposed {
		c.commit(g, false)
	} else if !o.Filtering {
		c.clear(g)
	}
	return c.join(g, p, o.Proposed)
}
