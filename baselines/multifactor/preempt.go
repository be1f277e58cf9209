package multifactor

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/plan"
)

// preempt stops running jobs of a lower QOS for one that does not fit, as few as it takes by count,
// if it fits then. It starts at once where their GPUs are free at once; else it claims them.
func (p *Policy) preempt(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	p.victims = p.victims[:0]
	for _, r := range p.running {
		// not one that this decision started, perhaps after it stopped it
		if p.jobs[r.job].qos < p.jobs[j].qos && r.round != p.round && v.Run(r.job).State() == sim.Running {
			p.victims = append(p.victims, r)
		}
	}
	if len(p.victims) == 0 {
		return out
	}
	slices.SortFunc(p.victims, func(a, b run) int {
		return cmp.Or(cmp.Compare(p.jobs[a.job].qos, p.jobs[b.job].qos), cmp.Compare(a.gpus, b.gpus),
			cmp.Compare(b.job, a.job))
	})
	n, before, d := 0, len(out), p.queue.Demand(j)
	for n < len(p.victims) && p.queue.Has(j) {
		p.place.Vacate(v, p.victims[n].job, p.queue.Demand(p.victims[n].job))
		n++
		if whole(d) {
			if !p.fits(v, j, d) {
				continue
			}
			n = p.spare(v, n, j, d)
		}
		out = p.start(v, j, out)
	}
	if p.queue.Has(j) {
		for i := n - 1; i >= 0; i-- {
			p.place.Keep(v, p.victims[i].job, p.queue.Demand(p.victims[i].job))
		}
		return out
	}
	return p.evict(v, j, n, before, out)
}

// whole states that a demand is for GPUs alone, and all of each.
func whole(d *plan.Demand) bool { return d.ShareMilli == 1000 && d.CPUMilli == 0 && d.MemMiB == 0 }

// fits reports whether a demand for whole GPUs has them, by count or, with a rule of places, a
// place.
func (p *Policy) fits(v *sim.View, j sim.JobID, d *plan.Demand) bool {
	if p.spot.Put != nil {
		_, ok := p.place.Try(p.spot.Put, v, j, d)
		return ok
	}
	f := v.Free().Of(d.Type)
	return f != nil && f.Total() >= int(d.GPUs)
}

// spare spares the victims among the first n that a demand fits without, and gives the number
// of the others, which come first then.
func (p *Policy) spare(v *sim.View, n int, j sim.JobID, d *plan.Demand) int {
	kept := 0
	for i := range n {
		x := p.victims[i]
		p.place.Keep(v, x.job, p.queue.Demand(x.job))
		if p.fits(v, j, d) {
			continue
		}
		p.place.Vacate(v, x.job, p.queue.Demand(x.job))
		p.victims[kept] = x
		kept++
	}
	return kept
}

// evict writes the preemptions of the first n victims before the start of a job, which is the last
// decision. If a checkpoint has to be written the job waits for it and has a claim.
func (p *Policy) evict(v *sim.View, j sim.JobID, n, before int, out []sim.Decision) []sim.Decision {
	start := out[len(out)-1]
	out = out[:before]
	for _, x := range p.victims[:n] {
		out = append(out, sim.Decision{Kind: sim.Preempt, Job: x.job})
		p.stop(v.Now(), x.job)
		if v.Run(x.job).CheckpointTime() > 0 {
			p.claim = j
		} else {
			p.enqueue(v, x.job)
		}
	}
	if p.claim == sim.NoJob {
		return append(out, start)
	}
	p.running = p.running[:len(p.running)-1] // it has not started
	if p.cfg.mode != none {
		p.ends.Drop(j)
	}
	p.enqueue(v, j)
	return out
}
