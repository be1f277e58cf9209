package drf

import (
	"slices"

	"tarry/sim"
)

// reclaim lets jobs that have waited long enough stop jobs of tenants above theirs, the tenant
// with the least share first.
func (p *Policy) reclaim(v *sim.View, out []sim.Decision) []sim.Decision {
	for tries := len(p.tenants); tries > 0 && p.claim == sim.NoJob && v.Draining() == 0; tries-- {
		best, least := int32(-1), 0.0
		for i := range p.tenants {
			t := &p.tenants[i]
			j := t.oldest()
			if j == sim.NoJob || v.Now()-p.since(v, j) < p.cfg.wait || t.tried == p.round {
				continue
			}
			if s := p.tree.Share(t.node); best < 0 || s < least {
				best, least = int32(i), s
			}
		}
		if best < 0 {
			return out
		}
		j := p.tenants[best].oldest()
		n := len(out)
		if out = p.preempt(v, j, out); len(out) == n {
			p.tenants[best].tried = p.round
		}
	}
	return out
}

// preempt stops what a job needs to start, if that is allowed; else nothing.
func (p *Policy) preempt(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	x := p.jobs[j]
	mine, d := p.tenants[x.tenant].node, &p.shapes[x.shape]
	p.tree.Use(mine, d.ask, 1) // as if it ran
	p.victims = p.victims[:0]
	before := len(out)
	for len(out) == before {
		victim := p.victim(v, mine, d.demand.Type)
		if victim == sim.NoJob {
			break
		}
		y := p.jobs[victim]
		p.tree.Use(p.tenants[y.tenant].node, p.shapes[y.shape].ask, -1)
		p.victims = append(p.victims, victim)
		p.place.Vacate(v, victim, &p.shapes[y.shape].demand)
		if gpus, ok := p.place.Put(p.put, v, j, &d.demand); ok {
			out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
		}
	}
	p.tree.Use(mine, d.ask, -1)
	for i := len(p.victims) - 1; i >= 0; i-- {
		y := p.jobs[p.victims[i]]
		p.tree.Use(p.tenants[y.tenant].node, p.shapes[y.shape].ask, 1)
		if len(out) == before {
			p.place.Keep(v, p.victims[i], &p.shapes[y.shape].demand)
		}
	}
	if len(out) == before {
		return out
	}
	return p.evict(v, j, before, out)
}

// victim is the newest job of the tenant furthest above a leaf that stays at or above it without
// this job; tenants are compared where their branches meet.
func (p *Policy) victim(v *sim.View, mine int32, typ string) sim.JobID {
	best, most := sim.NoJob, 0.0
	for i := range p.tenants {
		t := &p.tenants[i]
		if t.node == mine || len(t.running) == 0 {
			continue
		}
		a, b := p.tree.Meet(mine, t.node)
		share := p.tree.Share(b)
		if best != sim.NoJob && share <= most {
			continue
		}
		for k := len(t.running) - 1; k >= 0; k-- {
			j := t.running[k]
			if v.Run(j).State() != sim.Running || slices.Contains(p.victims, j) || !holds(v, j, typ) {
				continue
			}
			ask := p.shapes[p.jobs[j].shape].ask
			p.tree.Use(t.node, ask, -1)
			if p.tree.Share(b) >= p.tree.Share(a) {
				best, most = j, share
			}
			p.tree.Use(t.node, ask, 1)
			break
		}
	}
	return best
}

// holds reports whether a job holds a GPU of a type.
func holds(v *sim.View, j sim.JobID, typ string) bool {
	t := v.Topology()
	for _, g := range v.Run(j).Held() {
		if typ == "" || len(t.Types()) == 1 || t.Type(t.Machine(g)) == typ {
			return true
		}
	}
	return false
}

// evict writes the preemptions of the victims before the start of a job, which is the last
// decision. If a checkpoint has to be written the job waits for it and has a claim.
func (p *Policy) evict(v *sim.View, j sim.JobID, before int, out []sim.Decision) []sim.Decision {
	start := out[len(out)-1]
	out = out[:before]
	for _, x := range p.victims {
		out = append(out, sim.Decision{Kind: sim.Preempt, Job: x})
		p.stop(x)
		if v.Run(x).CheckpointTime() > 0 {
			p.claim = j
		} else {
			p.enqueue(x)
		}
	}
	if p.claim != sim.NoJob {
		return out
	}
	x := p.jobs[j]
	t := &p.tenants[x.tenant]
	t.take(x.shape, j)
	p.waiting--
	t.running = append(t.running, j)
	p.running++
	p.tree.Use(t.node, p.shapes[x.shape].ask, 1)
	return append(out, start)
}

// wake asks for the first instant at which a job will have waited long enough.
func (p *Policy) wake(v *sim.View, before int, out []sim.Decision) []sim.Decision {
	at := sim.Never
	if p.running > 0 || v.Draining() > 0 || len(out) > before {
		for i := range p.tenants {
			if j := p.tenants[i].oldest(); j != sim.NoJob {
				if due := p.since(v, j) + p.cfg.wait; due > v.Now() {
					at = min(at, due)
				}
			}
		}
	}
	return p.waited.Set(v.Now(), at, out)
}

// since is when a job began to wait; one that this decision stopped begins now.
func (p *Policy) since(v *sim.View, j sim.JobID) sim.Time {
	if v.Run(j).State() != sim.Waiting {
		return v.Now()
	}
	return v.Run(j).Since()
}
