package philly

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// victim is a job of a VC above its quota that gives up its GPUs in a plan.
type victim struct {
	job  sim.JobID
	hold int // its try, -1 if it runs
}

// reclaimed is what a plan gives a job.
type reclaimed struct {
	ok    bool
	gpus  []cluster.GPU
	level level
	wait  sim.Time // for checkpoints; 0 = the GPUs are free at once
}

// full reports whether so much is allocated that jobs are preempted, with GPUs that the caller has
// returned meanwhile. Once it is so, it is until the next decision.
func (p *Policy) full(v *sim.View, returned int) bool {
	b := &p.buf
	b.full = b.full || float64(v.Usable()-v.Free().Total()+returned) >= float64(p.cfg.preemptFrac*float64(v.Usable()))
	return b.full
}

// reclaim plans that VCs above their quotas give up jobs until a job within its own can be placed;
// then they do, those jobs whose GPUs it gets. p.buf.stops has the decisions. If it cannot be
// placed nothing changes.
func (p *Policy) reclaim(v *sim.View, j sim.JobID, d *demand, open level, returned int) (r reclaimed) {
	own := p.kinds[p.jobs[j].kind].vc
	if !p.full(v, returned) || !p.muster(own) {
		return r
	}
	p.buf.gone, p.buf.stops = p.buf.gone[:0], p.buf.stops[:0]
	for !r.ok && p.oust(v, own) {
		r.gpus, r.level, r.ok = p.find(v, d, open)
	}
	n := 0
	for _, x := range p.buf.gone {
		if r.ok && p.touches(v, x, d, r.gpus) {
			p.buf.gone[n] = x
			n++
			continue
		}
		p.restore(v, x)
	}
	if !r.ok {
		return r
	}
	p.buf.gone = p.buf.gone[:n]
	r.gpus = p.book(v, d, r.gpus)
	for _, x := range p.buf.gone {
		if x.hold < 0 {
			r.wait = max(r.wait, v.Run(x.job).CheckpointTime())
		}
	}
	if d.ShareMilli < 1000 && r.wait > 0 { // it looks again then
		p.place.Return(v, &d.Demand, r.gpus)
		r.gpus = nil
	}
	for _, x := range p.buf.gone {
		p.evict(v, x, r.gpus)
	}
	p.buf.ranked = false
	return r
}

// muster prepares a plan; false if no other VC is above its quota.
func (p *Policy) muster(own int32) bool {
	any := false
	for i := range p.vcs {
		c := &p.vcs[i]
		c.left, c.at = c.above(), len(c.has)
		any = any || int32(i) != own && c.left > 0
	}
	return any
}

// oust lets the next victim give up its GPUs in the plan; false if there is none.
func (p *Policy) oust(v *sim.View, own int32) bool {
	for {
		worst := int32(-1)
		for i := range p.vcs {
			if c := &p.vcs[i]; int32(i) != own && c.left > 0 && (worst < 0 || c.left > p.vcs[worst].left) {
				worst = int32(i)
			}
		}
		if worst < 0 {
			return false
		}
		c := &p.vcs[worst]
		x, ok := p.victimOf(v, worst)
		if !ok {
			c.left = 0
			continue
		}
		k := &p.kinds[p.jobs[x.job].kind]
		c.left -= k.milli
		d := &p.demands[k.demand].Demand
		if x.hold >= 0 {
			p.place.Return(v, d, p.holds[x.hold].gpus)
		} else {
			p.place.Vacate(v, x.job, d)
		}
		p.buf.gone = append(p.buf.gone, x)
		return true
	}
}

// victimOf is the next victim of a VC: the last that began to take GPUs.
func (p *Policy) victimOf(v *sim.View, i int32) (victim, bool) {
	c := &p.vcs[i]
	for c.at--; c.at >= 0; c.at-- {
		switch j := c.has[c.at]; {
		case p.jobs[j].state == trying:
			return victim{j, p.tryOf(j)}, true
		case v.Run(j).State() == sim.Running:
			return victim{j, -1}, true
		}
	}
	return victim{}, false
}

// has gives the GPUs of a victim.
func (p *Policy) has(v *sim.View, x victim) []cluster.GPU {
	if x.hold >= 0 {
		return p.holds[x.hold].gpus
	}
	return v.Run(x.job).Held()
}

// touches reports whether a victim has one of the GPUs that a demand is to get, or, where that asks
// for CPU or memory, one of their machines.
func (p *Policy) touches(v *sim.View, x victim, d *demand, gpus []cluster.GPU) bool {
	t, hosts := v.Topology(), d.CPUMilli > 0 || d.MemMiB > 0
	return slices.ContainsFunc(p.has(v, x), func(g cluster.GPU) bool {
		if hosts {
			return slices.ContainsFunc(gpus, func(o cluster.GPU) bool { return t.Machine(o) == t.Machine(g) })
		}
		_, ok := slices.BinarySearch(gpus, g)
		return ok
	})
}

// restore undoes what a victim gave up in the plan.
func (p *Policy) restore(v *sim.View, x victim) {
	d := &p.demands[p.kinds[p.jobs[x.job].kind].demand].Demand
	if x.hold >= 0 {
		p.place.Given(v, d, p.holds[x.hold].gpus)
	} else {
		p.place.Keep(v, x.job, d)
	}
}

// evict carries out the plan for one victim. While it writes a checkpoint, the GPUs that the plan
// does not give away stay taken.
func (p *Policy) evict(v *sim.View, x victim, given []cluster.GPU) {
	if x.hold >= 0 {
		p.yield(x.hold, v.Now())
		return
	}
	k := &p.kinds[p.jobs[x.job].kind]
	p.vcs[k.vc].lost++
	p.stop(x.job)
	p.buf.stops = append(p.buf.stops, sim.Decision{Kind: sim.Preempt, Job: x.job})
	if v.Run(x.job).CheckpointTime() == 0 {
		p.enter(v, x.job)
		return
	}
	held := v.Run(x.job).Held()
	for i, g := range held {
		if _, ok := slices.BinarySearch(given, g); !ok {
			p.place.Given(v, &p.demands[k.demand].Demand, held[i:i+1])
		} else {
			p.place.Burden(v.Topology().Machine(g), &p.demands[k.demand].Demand)
		}
	}
}

// seize gives a job in the queue what reclaim has planned for it; false if that is nothing.
func (p *Policy) seize(v *sim.View, j sim.JobID, d *demand, open level, out []sim.Decision) ([]sim.Decision, bool) {
	r := p.reclaim(v, j, d, open, 0)
	if !r.ok {
		return out, false
	}
	out = append(out, p.buf.stops...)
	p.buf.moved = true
	p.take(j)
	switch {
	case r.wait == 0:
		return p.launch(v, j, r.gpus, r.level, false, out), true
	case d.ShareMilli < 1000: // nothing is kept for it
		p.retreat(j, v.Now(), v.Now()+r.wait)
		return out, true
	}
	k := &p.kinds[p.jobs[j].kind]
	p.vcs[k.vc].tries++
	p.vcs[k.vc].add(j, k.milli)
	p.move(j, trying, v.Now())
	h := p.spare()
	h.job = j
	p.await(v, h, r)
	p.settle()
	return out, true
}

// await lets a try wait for the checkpoints of its victims.
func (p *Policy) await(v *sim.View, h *try, r reclaimed) {
	h.level, h.due = r.level, sim.Never
	h.want = append(h.want[:0], r.gpus...)
	d := &p.demands[p.kinds[p.jobs[h.job].kind].demand]
	for i, g := range r.gpus {
		slow := func(x victim) bool {
			return x.hold < 0 && v.Run(x.job).CheckpointTime() > 0 && p.touches(v, x, d, r.gpus[i:i+1])
		}
		if !slices.ContainsFunc(p.buf.gone, slow) {
			h.gpus = append(h.gpus, g)
		}
	}
}
