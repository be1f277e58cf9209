package contest

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// reopen puts the GPUs of ended leases up for contest, and their holders among the contestants.
func (p *Policy) reopen(v *sim.View, out []sim.Decision) []sim.Decision {
	p.Late = false
	for _, j := range p.expired {
		slow := v.Run(j).CheckpointTime() > 0
		p.Gets(p.ClassOf(j), -len(v.Run(j).Held()))
		if p.cfg.Return {
			out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
			p.running.ends(j)
			if slow {
				continue // it contests when its checkpoint is written
			}
		}
		p.Late = p.Late || slow
		if !p.shares(v, j) { // else its GPUs are not there to contest for
			v.Free().ReleaseAll(v.Run(j).Held())
		}
		p.enter(v, j)
	}
	return out
}

func allFree(f *cluster.Free, gpus []cluster.GPU) bool {
	for _, g := range gpus {
		if !f.Has(g) {
			return false
		}
	}
	return true
}

// emit turns the plan into decisions: first the jobs that lose their GPUs, then the grants.
func (p *Policy) emit(v *sim.View, out []sim.Decision) []sim.Decision {
	if len(p.Grants) == 0 && len(p.expired) == 0 {
		return out
	}
	out = p.release(v, out)
	if !p.cfg.Return {
		out = p.dismiss(v, out)
	}
	for i := range p.Grants {
		gr := &p.Grants[i]
		gpus := p.GPUs[gr.Lo:gr.Hi]
		c := p.ClassOf(gr.Job)
		switch {
		case gr.Releases(v):
			continue // resized above
		case gr.Kind != Begins:
			out = append(out, p.resize(v, gr))
			p.running.starts(v, gr.Job)
			continue
		case p.Late && v.Run(gr.Job).State() == sim.Running && v.Run(gr.Job).CheckpointTime() > 0:
			continue // preempted above; it contests again when its checkpoint is written
		case p.Late && (p.draining(v, gpus) || c.Asks() && p.slow(v, gpus)):
			c.restore(gr.Job) // its GPUs are not free yet
			continue
		}
		if p.Late {
			p.Source(c).Accepted(c.GPUs, gr.Level, v.Now()-gr.Since, v.Now())
		}
		out = append(out, sim.Decision{Kind: sim.Start, Job: gr.Job, GPUs: gpus, Lease: p.LeaseFor(v, gr.Job, gpus)})
		p.running.starts(v, gr.Job)
	}
	return out
}

// dismiss preempts the holders of ended leases that did not win their own GPUs again.
func (p *Policy) dismiss(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, j := range p.expired {
		won, own := p.wonBy(j)
		c := p.ClassOf(j)
		switch {
		case own:
			continue
		case !won && p.shares(v, j):
			c.Remove(j)
			out = append(out, sim.Decision{Kind: sim.Renew, Job: j, Lease: p.LeaseFor(v, j, v.Run(j).Held())})
			p.running.starts(v, j)
			continue
		case !won && p.cfg.Keep && allFree(v.Free(), v.Run(j).Held()) && p.Carries(v, c, v.Run(j).Held()):
			v.Free().TakeAll(v.Run(j).Held())
			c.Remove(j)
			out = append(out, sim.Decision{Kind: sim.Renew, Job: j, Lease: p.LeaseFor(v, j, v.Run(j).Held())})
			p.running.starts(v, j)
			continue
		}
		if !won && v.Run(j).CheckpointTime() > 0 {
			c.Remove(j) // it comes back when its checkpoint is written
		}
		out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
		p.running.ends(j)
	}
	return out
}

func (p *Policy) wonBy(j sim.JobID) (won, own bool) {
	for i := range p.Grants {
		if p.Grants[i].Job == j {
			return true, p.Grants[i].Kind != Begins
		}
	}
	return false, false
}

// draining reports whether some of gpus belong to a holder whose checkpoint takes time.
func (p *Policy) draining(v *sim.View, gpus []cluster.GPU) bool {
	for _, g := range gpus {
		if o := v.Owner(g); o != sim.NoJob && v.Run(o).CheckpointTime() > 0 && !p.freed(v, o) {
			return true
		}
	}
	return false
}

// LeaseFor is the length of a grant; 0 = to the end of the job.
func (p *Policy) LeaseFor(v *sim.View, j sim.JobID, gpus []cluster.GPU) sim.Time {
	switch {
	case p.lease == sim.Never:
		return 0
	case p.cfg.Clock != nil:
		return p.cfg.Clock.Length(v, j, gpus)
	case p.cfg.Lengths != nil:
		return p.cfg.Lengths.Length(v, j, gpus)
	}
	return p.lease
}

// shares reports whether a running job has another beside it.
func (p *Policy) shares(v *sim.View, j sim.JobID) bool {
	return p.cfg.Sharing != nil && p.cfg.Sharing.Shares(v, j)
}
