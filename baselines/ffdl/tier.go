package ffdl

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// owner is a virtual cluster with what its jobs use within its quota.
type owner struct {
	name   string
	quota  int64 // -1 = none is stated
	used   int64
	thrown int64 // evictions
}

// belong notes whose a job is.
func (p *Policy) belong(v *sim.View, j sim.JobID) {
	if !p.cfg.quota {
		return
	}
	x, name := &p.jobs[j], v.Job(j).VC()
	i, ok := p.byVC[name]
	if !ok {
		i = int32(len(p.tenants))
		p.byVC[name] = i
		t := owner{name: name, quota: -1}
		if gpus, ok := v.Tenants().Quota(name); ok {
			t.quota = int64(gpus)
		}
		p.tenants = append(p.tenants, t)
	}
	x.tenant = i
	prio := v.Job(j).Public().Priority
	if prio == 0 {
		prio = v.Tenants().Priority(name, v.Job(j).User())
	}
	x.low = prio < 0
}

// above reports whether a job would be of the free tier: its priority is negative, or it would take
// its tenant above the quota.
func (p *Policy) above(j sim.JobID) bool {
	x := &p.jobs[j]
	if !p.cfg.quota || x.low {
		return x.low
	}
	t := &p.tenants[x.tenant]
	return t.quota >= 0 && t.used+int64(x.gpus) > t.quota
}

// enlist puts an admitted job into its tier, for as long as it is admitted. For one within its
// quota the free tier leaves the limit of the type.
func (p *Policy) enlist(v *sim.View, j sim.JobID) {
	x := &p.jobs[j]
	x.free = p.above(j)
	x.shape = p.tierOf(x.shape, x.free)
	q := &p.queues[x.queue]
	if x.free {
		q.free += int64(x.gpus)
		p.frees = append(p.frees, j)
		return
	}
	p.tenants[x.tenant].used += int64(x.gpus)
	for i := len(p.frees) - 1; i >= 0 && q.limit > 0 && q.used > q.limit; i-- {
		if o := p.frees[i]; p.jobs[o].queue == x.queue && p.removable(v, o) {
			if v.Run(o).State() == sim.Running && v.Run(o).CheckpointTime() == 0 {
				p.lend(v, o, true)
			}
			p.evict(v, o)
		}
	}
}

// tierOf is the shape of the other tier that is like one, or itself.
func (p *Policy) tierOf(i int32, free bool) int32 {
	s := &p.shapes[i]
	if s.free == free {
		return i
	}
	r := request{s.Demand, s.worker, free}
	k, ok := p.index[r]
	if !ok {
		k = int32(len(p.shapes))
		p.index[r] = k
		p.shapes = append(p.shapes, shape{Demand: s.Demand, pod: s.pod, worker: s.worker, free: free})
	}
	return k
}

// discharge takes a job that ended, or is evicted, out of the books.
func (p *Policy) discharge(j sim.JobID) {
	x := &p.jobs[j]
	q := &p.queues[x.queue]
	q.used -= int64(x.gpus)
	p.active--
	switch {
	case !p.cfg.quota:
	case x.free:
		q.free -= int64(x.gpus)
		i := slices.Index(p.frees, j)
		p.frees = slices.Delete(p.frees, i, i+1)
	default:
		p.tenants[x.tenant].used -= int64(x.gpus)
	}
}

// removable reports whether an admitted job waits, or runs and neither started nor was evicted just
// now.
func (p *Policy) removable(v *sim.View, j sim.JobID) bool {
	s := &p.shapes[p.jobs[j].shape]
	if _, waits := slices.BinarySearch(s.jobs[s.head:], j); waits {
		return true
	}
	return v.Run(j).State() == sim.Running && p.jobs[j].moved < v.Now()
}

// evict takes a job of the free tier back into its queue; one that runs is preempted, and is there
// once its checkpoint is written.
func (p *Policy) evict(v *sim.View, j sim.JobID) {
	x := &p.jobs[j]
	p.discharge(j)
	s := &p.shapes[x.shape]
	if at, ok := slices.BinarySearch(s.jobs[s.head:], j); ok { // it has not started
		s.jobs = slices.Delete(s.jobs, s.head+at, s.head+at+1)
		p.join(j)
		return
	}
	x.moved = v.Now()
	p.tenants[x.tenant].thrown++
	p.stops = append(p.stops, sim.Decision{Kind: sim.Preempt, Job: j})
	if v.Run(j).CheckpointTime() > 0 {
		x.leaving = true
		p.draining++
		return
	}
	p.back = true
	p.join(j)
}

// oust places a gang where jobs of the free tier are, the last admitted first; jobs whose GPUs it
// gets are evicted. While they write checkpoints the gang waits, and nothing else is evicted or
// starts in the free tier.
func (p *Policy) oust(v *sim.View, s *shape) (gpus []cluster.GPU, ok bool) {
	if s.free || p.draining > 0 {
		return nil, false
	}
	p.gone = p.gone[:0]
	for i := len(p.frees) - 1; i >= 0 && !ok; i-- {
		if j := p.frees[i]; v.Run(j).State() == sim.Running && p.jobs[j].moved < v.Now() {
			p.lend(v, j, true)
			p.gone = append(p.gone, j)
			gpus, ok = p.put(v, s)
		}
	}
	wait := sim.Time(0)
	n := 0
	for _, j := range p.gone {
		if ok && slices.ContainsFunc(v.Run(j).Held(), func(g cluster.GPU) bool {
			_,
				in := slices.BinarySearch(gpus, g)
			return in
		}) {
			wait = max(wait, v.Run(j).CheckpointTime())
			p.gone[n] = j
			n++
			continue
		}
		p.lend(v, j, false)
	}
	if !ok {
		return nil, false
	}
	if wait > 0 {
		p.place.Return(v, &s.Demand, gpus)
		p.charge(v, s, gpus, -1)
	}
	for _, j := range p.gone[:n] {
		if wait > 0 {
			p.lend(v, j, false)
		}
		p.evict(v, j)
	}
	return gpus, wait == 0
}

// lend plans as if a running job had given its GPUs back, or takes that back.
func (p *Policy) lend(v *sim.View, j sim.JobID, away bool) {
	s := &p.shapes[p.jobs[j].shape]
	if away {
		p.place.Vacate(v, j, &s.Demand)
		p.charge(v, s, v.Run(j).Held(), -1)
		return
	}
	p.place.Keep(v, j, &s.Demand)
	p.charge(v, s, v.Run(j).Held(), 1)
}
