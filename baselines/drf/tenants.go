package drf

import (
	"slices"

	"tarry/baselines/drf/dominant"
	"tarry/sim"
)

// party is a leaf of the tree.
type party struct {
	node    int32
	lines   []line
	running []sim.JobID // in the order of their starts
	tried   uint32      // the round in which its oldest job could not preempt
}

// line is the waiting jobs of a tenant with one demand, by arrival, from head on.
type line struct {
	shape int32
	head  int32
	jobs  []sim.JobID
}

// tenantOf gives the tenant of a job, a new one if it is the first.
func (p *Policy) tenantOf(v *sim.View, j sim.JobID) int32 {
	vc, user, set := v.Job(j).VC(), v.Job(j).User(), v.Tenants()
	parent := dominant.Root
	switch {
	case p.cfg.byVC:
		return p.at[p.nodeOf(owner{dominant.Root, vc}, set.Weight(vc), true)]
	case p.cfg.byUser: // a user of two virtual clusters is two
		parent = p.groupOf(vc)
		return p.at[p.leafOf(owner{parent, user}, dominant.Root, float64(set.Weight(vc)*set.UserWeight(vc, user)))]
	}
	parent = p.nodeOf(owner{dominant.Root, vc}, set.Weight(vc), false)
	return p.at[p.nodeOf(owner{parent, user}, set.UserWeight(vc, user), true)]
}

// groupOf numbers virtual clusters that have no node, from -2 down.
func (p *Policy) groupOf(vc string) int32 {
	key := owner{dominant.None, vc}
	id, ok := p.nodes[key]
	if !ok {
		id = -2 - int32(len(p.nodes))
		p.nodes[key] = id
	}
	return id
}

// nodeOf gives the node of an owner below the node that it names.
func (p *Policy) nodeOf(key owner, weight float64, leaf bool) int32 {
	if leaf {
		return p.leafOf(key, key.of, weight)
	}
	id, ok := p.nodes[key]
	if !ok {
		id = p.tree.Add(key.of, weight, false)
		p.nodes[key] = id
		p.at = append(p.at, -1)
	}
	return id
}

// leafOf gives the leaf of an owner below a node.
func (p *Policy) leafOf(key owner, parent int32, weight float64) int32 {
	id, ok := p.nodes[key]
	if !ok {
		id = p.tree.Add(parent, weight, true)
		p.nodes[key] = id
		p.at = append(p.at, int32(len(p.tenants)))
		p.tenants = append(p.tenants, party{node: id})
	}
	return id
}

// enqueue lets a job wait; its place is by arrival.
func (p *Policy) enqueue(j sim.JobID) {
	x := p.jobs[j]
	t := &p.tenants[x.tenant]
	l := t.line(x.shape)
	if l == nil {
		t.lines = append(t.lines, line{shape: x.shape})
		l = &t.lines[len(t.lines)-1]
	}
	l.add(j)
	p.waiting++
}

// line gives the line of a shape, nil if the tenant has none.
func (t *party) line(shape int32) *line {
	for i := range t.lines {
		if t.lines[i].shape == shape {
			return &t.lines[i]
		}
	}
	return nil
}

// add puts a job into a line.
func (l *line) add(j sim.JobID) {
	if n := len(l.jobs); int(l.head) == n || l.jobs[n-1] < j {
		if l.head > 32 && int(l.head) > n/2 { // what has left
			l.jobs, l.head = l.jobs[:copy(l.jobs, l.jobs[l.head:])], 0
		}
		l.jobs = append(l.jobs, j)
		return
	}
	i, _ := slices.BinarySearch(l.jobs[l.head:], j)
	if i == 0 && l.head > 0 {
		l.head--
		l.jobs[l.head] = j
		return
	}
	l.jobs = slices.Insert(l.jobs, int(l.head)+i, j)
}

// take removes a waiting job.
func (t *party) take(shape int32, j sim.JobID) {
	l := t.line(shape)
	if l.jobs[l.head] == j {
		l.head++
		return
	}
	i, _ := slices.BinarySearch(l.jobs[l.head:], j)
	l.jobs = slices.Delete(l.jobs, int(l.head)+i, int(l.head)+i+1)
}

// where reports whether a job waits.
func (p *Policy) where(j sim.JobID) bool {
	x := p.jobs[j]
	l := p.tenants[x.tenant].line(x.shape)
	if l == nil {
		return false
	}
	_, ok := slices.BinarySearch(l.jobs[l.head:], j)
	return ok
}

// hasOpen reports whether a job of a leaf waits whose shape may fit.
func (p *Policy) hasOpen(leaf int32) bool {
	for i := range p.tenants[p.at[leaf]].lines {
		if l := &p.tenants[p.at[leaf]].lines[i]; int(l.head) < len(l.jobs) && p.shapes[l.shape].closed != p.round {
			return true
		}
	}
	return false
}

// first is the first job to arrive whose shape may fit; NoJob if there is none.
func (t *party) first(p *Policy) sim.JobID {
	best := sim.NoJob
	for i := range t.lines {
		if l := &t.lines[i]; int(l.head) < len(l.jobs) && p.shapes[l.shape].closed != p.round &&
			(best == sim.NoJob || l.jobs[l.head] < best) {
			best = l.jobs[l.head]
		}
	}
	return best
}

// oldest is the first job to arrive that waits; NoJob if none does.
func (t *party) oldest() sim.JobID {
	best := sim.NoJob
	for i := range t.lines {
		if l := &t.lines[i]; int(l.head) < len(l.jobs) && (best == sim.NoJob || l.jobs[l.head] < best) {
			best = l.jobs[l.head]
		}
	}
	return best
}
