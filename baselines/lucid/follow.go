package lucid

import (
	"slices"

	"tarry/sim"
)

// follow takes note of what happened, and stops the jobs whose time in the profiler is over.
func (p *Policy) follow(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		if ev.Job == sim.NoJob {
			continue
		}
		m := &p.jobs[ev.Job]
		switch {
		case ev.Kind == sim.Finish:
			out = p.leave(v, ev.Job, out)
			m.where = away
		case ev.Kind == sim.Expire:
			if m.where == profiling && v.Run(ev.Job).State() == sim.Running {
				out = p.stop(v, ev.Job, out)
			}
		case ev.Kind == sim.Cross || ev.Kind == sim.Timer || ev.Kind == sim.Repair || v.Run(ev.Job).State() != sim.Waiting:
		case m.where == waiting || m.where == queued:
		case ev.Kind == sim.Arrive:
			p.arrive(v, ev.Job)
		default: // drained, or stopped by a fault, or out of memory
			again := ev.Kind == sim.Fail && m.where == profiling && !m.draining
			out = p.leave(v, ev.Job, out)
			if m.draining = false; again {
				p.enqueue(v, ev.Job)
			} else {
				p.await(v, ev.Job)
			}
		}
	}
	return out
}

// arrive takes in a job: it goes to the profiler or to the main queue.
func (p *Policy) arrive(v *sim.View, j sim.JobID) {
	m, d := &p.jobs[j], p.demand.Note(v, j)
	if m.key = v.Job(j).Estimate(); !(m.key > 0) { // a prediction below zero counts as 1000 s
		m.key = float64(1000 * float64(sim.Second) * float64(d.GPUs))
	}
	p.load.came++
	switch {
	case p.cfg.profiler == "off" || p.pool.base == 0 || int(d.GPUs) > p.pool.base*p.cfg.gpus || d.ShareMilli < 1000:
		p.await(v, j)
	case p.cfg.profiler == "ideal" && v.Job(j).Work() > float64(p.cfg.limit)*float64(d.GPUs):
		p.pool.enter(v, j, true)
		p.await(v, j)
	default:
		p.enqueue(v, j)
	}
}

// enqueue puts a job into the profiler's queue.
func (p *Policy) enqueue(v *sim.View, j sim.JobID) {
	p.jobs[j].where = queued
	p.pool.enter(v, j, false)
}

// await puts a job into the main queue.
func (p *Policy) await(v *sim.View, j sim.JobID) {
	p.jobs[j].where = waiting
	p.classify(v, j)
	at, _ := slices.BinarySearchFunc(p.line, j, p.compare)
	p.line = slices.Insert(p.line, at, j)
}

// compare is the order of the main queue: least predicted GPU-time first, then by submission.
func (p *Policy) compare(a, b sim.JobID) int {
	switch x, y := p.jobs[a].key, p.jobs[b].key; {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return int(a) - int(b)
}

// stop ends a job's time in the profiler.
func (p *Policy) stop(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	if v.Run(j).CheckpointTime() > 0 {
		p.jobs[j].draining = true
		return append(out, sim.Decision{Kind: sim.Preempt, Job: j})
	}
	p.freed = append(p.freed, j)
	p.pool.busy--
	p.await(v, j)
	return append(out, sim.Decision{Kind: sim.Preempt, Job: j})
}

// leave takes a job off what it held; one that shared its GPUs leaves them to the other.
func (p *Policy) leave(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	m := &p.jobs[j]
	switch m.where {
	case profiling:
		p.pool.busy--
	case running:
		p.held--
		g := int(p.demand.Demand(j).GPUs)
		if g < len(p.runs) {
			if i := slices.Index(p.runs[g], j); i >= 0 {
				p.runs[g] = slices.Delete(p.runs[g], i, i+1)
			}
		}
	}
	mate := m.mate
	if mate == sim.NoJob {
		return out
	}
	m.mate, p.jobs[mate].mate = sim.NoJob, sim.NoJob
	if v.Run(mate).State() == sim.Running && p.aloneNow(v, mate) {
		p.grown = append(p.grown, mate)
		out = append(out, sim.Decision{Kind: sim.Tune, Job: mate, Knobs: sim.Knobs{ShareMilli: 1000}})
	}
	return out
}

// aloneNow reports whether no other job holds a share of a job's GPUs.
func (p *Policy) aloneNow(v *sim.View, j sim.JobID) bool {
	own := int(v.Run(j).Knobs().ShareMilli)
	for _, g := range v.Run(j).Held() {
		if v.Share(g) != own {
			return false
		}
	}
	return true
}
