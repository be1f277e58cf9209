package cells

import "slices"

// Gang is Schedule for all pods of a group at once: p.Name stands for each of them, and Delete ends
// them together. Victims are named once each.
func (c *Cluster) Gang(p Pod, o Options) (Decision, error) {
	d, err := c.Schedule(p, o)
	if err != nil || d.Result != Bind || o.Proposed {
		return d, err
	}
	g := c.groups[p.Group]
	for i := range g.pods {
		g.pods[i].pod = p.Name
	}
	return d, nil
}

// Each calls yield with the GPU indices of each pod that a group has, in the order of its members,
// ascending by size. The slice is valid until the next call.
func (c *Cluster) Each(group string, yield func(gpus []int)) {
	g := c.groups[group]
	if g == nil {
		return
	}
	for i := range g.pods {
		c.scratch = c.scratch[:0]
		for _, s := range g.pods[i].slots {
			if s.p != nil {
				c.scratch = append(c.scratch, s.p.gpu)
			}
		}
		yield(c.scratch)
	}
}

// Could reports whether a request would be met if all GPUs were idle and all nodes healthy.
func (c *Cluster) Could(p Pod) bool {
	if c.check(&p) != nil {
		return false
	}
	n := sizes(p.Members)
	if p.Priority == Opportunistic {
		return slices.ContainsFunc(c.chains, func(ch *chain) bool {
			return (p.GPUType == "" || p.GPUType == ch.gpuType) && holds(ch.nodes, n)
		})
	}
	t := c.tenant(p.VC)
	quotas := t.quotas
	if p.Pinned != "" {
		quotas = []*quota{t.pinned[p.Pinned]}
	}
	return slices.ContainsFunc(quotas, func(q *quota) bool {
		return (p.GPUType == "" || p.GPUType == q.chain.gpuType) && holds(q.view, n)
	})
}

// holds is place on empty nodes.
func holds(view []*cell, sizes []int) bool {
	i, used := 0, 0
	for _, n := range sizes {
		for i < len(view) && view[i].chain.size[view[i].level]-used < n {
			i, used = i+1, 0
		}
		if i == len(view) {
			return false
		}
		used += n
	}
	return true
}

// Rank gives a group another priority, 0..MaxPriority; it reports whether the group has virtual
// cells to which that means something. One that waits for others keeps its place.
func (c *Cluster) Rank(group string, prio int) bool {
	g := c.groups[group]
	if g == nil || g.prio == Opportunistic || g.state == Downgraded || prio < 0 || prio > MaxPriority {
		return false
	}
	g.each(func(s *slot) {
		if s.p.claim == nil || s.p.claim == g {
			for _, x := range [...]*cell{s.p, s.v} {
				count(x, g.prio, -1)
				count(x, prio, 1)
				x.prio = prio
			}
		}
	})
	g.prio, g.spec.Priority = prio, prio
	return true
}
