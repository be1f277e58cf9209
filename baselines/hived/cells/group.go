package cells

import (
	"fmt"
	"slices"
)

// group is a group of pods that has GPUs or reserved them.
type group struct {
	name  string
	spec  Pod // of the pod that came first
	prio  int
	state State
	pods  []member // ascending by size
	// asking are the pods of a preempting group that asked, in order.
	asking []string
}

// member is a pod's place.
type member struct {
	size  int
	pod   string // empty = not here yet
	slots []slot
	// was is the place that an adopted pod has; nil = its slots'.
	was *Place
}

// sizes are the sizes of all pods of a group, ascending.
func sizes(members []Member) (out []int) {
	for _, m := range members {
		for range m.Pods {
			out = append(out, m.GPUs)
		}
	}
	slices.Sort(out)
	return out
}

// each calls f with each of a group's slots; slots whose GPU is in no configuration any more are
// left out.
func (g *group) each(f func(s *slot)) {
	for i := range g.pods {
		for k := range g.pods[i].slots {
			if g.pods[i].slots[k].p != nil {
				f(&g.pods[i].slots[k])
			}
		}
	}
}

// check reports what is wrong with a request that has no answer but a refusal.
func (c *Cluster) check(p *Pod) error {
	t := c.tenant(p.VC)
	switch {
	case t == nil:
		return fmt.Errorf("pod %s: there is no VC %q", p.Name, p.VC)
	case c.pods[p.Name] != nil && c.pods[p.Name].state != Preempting:
		return fmt.Errorf("pod %s has its GPUs already", p.Name)
	case p.Priority < Opportunistic || p.Priority > MaxPriority:
		return fmt.Errorf("pod %s: priority %d, expected -1 (opportunistic) or 0..%d", p.Name, p.Priority, MaxPriority)
	case p.Name == "" || p.Group == "" || p.GPUs < 1:
		return fmt.Errorf("pod %q of group %q wants %d GPUs, expected two names and 1 or more", p.Name, p.Group, p.GPUs)
	case p.Pinned != "" && t.pinned[p.Pinned] == nil:
		return fmt.Errorf("pod %s: VC %s has no pinned cell %q", p.Name, p.VC, p.Pinned)
	case p.Pinned != "" && p.Priority == Opportunistic:
		return fmt.Errorf("pod %s: an opportunistic pod has no pinned cell", p.Name)
	}
	found := false
	for _, m := range p.Members {
		if m.Pods < 1 || m.GPUs < 1 {
			return fmt.Errorf("pod %s: a group of %d pods with %d GPUs, expected 1 or more", p.Name, m.Pods, m.GPUs)
		}
		found = found || m.GPUs == p.GPUs
	}
	if !found {
		return fmt.Errorf("pod %s: no pod of its group has %d GPUs", p.Name, p.GPUs)
	}
	if p.Pinned != "" && p.GPUType != "" && p.GPUType != t.pinned[p.Pinned].chain.gpuType {
		return fmt.Errorf("pod %s: pinned cell %s has no GPUs of type %s", p.Name, p.Pinned, p.GPUType)
	}
	if p.Pinned == "" && !c.has(t, p) {
		return fmt.Errorf("pod %s: VC %s has no GPUs of type %q", p.Name, p.VC, p.GPUType)
	}
	return nil
}

// has reports whether there are GPUs of the type asked for, in the VC or for an opportunistic pod
// anywhere.
func (c *Cluster) has(t *tenant, p *Pod) bool {
	if p.GPUType == "" {
		return true
	}
	if p.Priority == Opportunistic {
		return slices.ContainsFunc(c.chains, func(ch *chain) bool { return ch.gpuType == p.GPUType })
	}
	return slices.ContainsFunc(t.quotas, func(q *quota) bool { return q.chain.gpuType == p.GPUType })
}

// newGroup makes a group of a placement: physical GPUs by pod, and virtual ones unless it is
// opportunistic.
func newGroup(p *Pod, sizes []int, physical, virtual [][]*cell) *group {
	g := &group{name: p.Group, spec: *p, prio: p.Priority, pods: make([]member, len(sizes))}
	for i, n := range sizes {
		g.pods[i] = member{size: n, slots: make([]slot, n)}
		for k := range n {
			g.pods[i].slots[k].p = physical[i][k]
			if virtual != nil {
				g.pods[i].slots[k].v = virtual[i][k]
			}
		}
	}
	return g
}

// join gives a pod the first place of its size that is left, or states which that is.
func (c *Cluster) join(g *group, p *Pod, proposed bool) (Decision, error) {
	for i := range g.pods {
		m := &g.pods[i]
		if m.size != p.GPUs || m.pod != "" {
			continue
		}
		if !proposed {
			m.pod = p.Name
			c.pods[p.Name] = g
		}
		at := m.place()
		return Decision{Result: Bind, Node: at.Node, GPUs: at.GPUs}, nil
	}
	return Decision{}, fmt.Errorf("pod %s: group %s has no place of %d GPUs left", p.Name, g.name, p.GPUs)
}

// place is a pod's.
func (m *member) place() Place {
	if m.was != nil {
		return *m.was
	}
	at := Place{Node: m.slots[0].p.node}
	for _, s := range m.slots {
		at.GPUs = append(at.GPUs, s.p.gpu)
	}
	return at
}

// Delete ends a pod, or the request of one whose group reserved GPUs. A group's GPUs are free when
// its last pod ends. An error means that there is no such pod: it ended, waits, or its group's
// reservation was canceled by a stronger one.
func (c *Cluster) Delete(pod string) error {
	g := c.pods[pod]
	if g == nil {
		return fmt.Errorf("there is no pod %q", pod)
	}
	delete(c.pods, pod)
	if g.state == Preempting {
		g.asking = slices.DeleteFunc(g.asking, func(name string) bool { return name == pod })
		if len(g.asking) == 0 {
			c.cancel(g)
		}
		c.settle()
		return nil
	}
	left := false
	for i := range g.pods {
		if g.pods[i].pod == pod {
			g.pods[i].pod = ""
		}
		left = left || g.pods[i].pod != ""
	}
	if !left {
		g.each(func(s *slot) {
			if s.p.claim == nil {
				s.release()
			}
			s.p.group = nil
		})
		delete(c.groups, g.name)
		c.settle()
	}
	return nil
}

// settle looks at bad nodes again after GPUs changed hands.
func (c *Cluster) settle() {
	for _, ch := range c.chains {
		for _, n := range ch.tops {
			if n.bad {
				c.doom(ch)
				break
			}
		}
	}
}

// State is the state of a group.
func (c *Cluster) State(group string) State {
	if g := c.groups[group]; g != nil {
		return g.state
	}
	return Absent
}

// Groups is how many groups have GPUs or reserved them.
func (c *Cluster) Groups() int { return len(c.groups) }

// GPU is one of a node's.
type GPU struct {
	// Index is its number on the node, Priority the priority of its holder or reserver; below
	// Opportunistic = none.
	Index, Priority int
	// Used: a group runs on it. Reserved: a group waits for it.
	Used, Reserved bool
}

// GPUs are the GPUs of a node, in the order of the tree.
func (c *Cluster) GPUs(node string) (out []GPU) {
	for _, n := range c.nodes[node] {
		for _, x := range n.at(1, nil) {
			out = append(out, GPU{x.gpu, x.prio, x.group != nil, x.claim != nil})
		}
	}
	return out
}

// Nodes are the names of all nodes, in the order of the configuration.
func (c *Cluster) Nodes() []string { return slices.Clone(c.names) }
