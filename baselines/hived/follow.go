package hived

import (
	"slices"
	"strconv"

	"tarry/sim"
)

// follow takes note of what happened.
func (p *Policy) follow(v *sim.View, out []sim.Decision) []sim.Decision {
	units := false
	for _, ev := range v.Events() {
		if ev.Job == sim.NoJob {
			units = units || ev.Kind == sim.Fail || ev.Kind == sim.Repair
			continue
		}
		m := &p.jobs[ev.Job]
		switch {
		case ev.Kind == sim.Finish:
			p.release(ev.Job)
			m.where = away
		case ev.Kind == sim.Cross:
			if v.Run(ev.Job).State() == sim.Running {
				p.fall(v, ev.Job)
				out = p.watch(ev.Job, out)
			}
		case ev.Kind == sim.Timer || ev.Kind == sim.Expire || v.Run(ev.Job).State() != sim.Waiting || m.where == waiting ||
			m.where == reserving:
		case ev.Kind == sim.Arrive:
			out = p.arrive(v, ev.Job, out)
		default: // drained, or stopped by a fault, or out of memory
			p.release(ev.Job)
			out = p.enlist(v, ev.Job, out)
		}
	}
	if units {
		p.health(v)
	}
	return out
}

// health marks the machines with a GPU that is down as bad, and the others as healthy.
func (p *Policy) health(v *sim.View) {
	p.someBad = false
	for m := range p.bad {
		lo, hi := v.Topology().MachineGPUs(m)
		bad := false
		for ; lo < hi; lo++ {
			bad = bad || !v.Up(lo)
		}
		if bad != p.bad[m] {
			p.bad[m], p.freed = bad, true
			_ = p.cells.SetBad(strconv.Itoa(m), bad) // every machine is a node
		}
		p.someBad = p.someBad || bad
	}
	if p.freed {
		p.stir()
	}
}

// stir makes every line worth a look.
func (p *Policy) stir() {
	for i := range p.lines {
		p.lines[i].dirty = true
	}
}

// release ends what a job holds.
func (p *Policy) release(j sim.JobID) {
	m := &p.jobs[j]
	if m.where != running && m.where != stopping {
		return
	}
	_ = p.cells.Delete(m.name)
	p.freed, m.where = true, away
	p.lines[m.line].dirty = true
	if p.someBad { // what is free may serve others
		p.stir()
	}
}

// fall moves a job that has had the service of its queue to the next.
func (p *Policy) fall(v *sim.View, j sim.JobID) {
	m := &p.jobs[j]
	if m.where != running || int(m.level) >= len(p.cfg.bounds) || v.Run(j).Service() < p.cfg.bounds[m.level] {
		return
	}
	p.rank(v, j, v.Job(j).Public().Priority)
	p.cells.Rank(m.name, int(m.prio))
	p.lines[m.line].dirty = true
}

// watch asks for an event when a running job has had the service of its queue.
func (p *Policy) watch(j sim.JobID, out []sim.Decision) []sim.Decision {
	m := &p.jobs[j]
	if m.where != running || m.prio < 0 || int(m.level) >= len(p.cfg.bounds) {
		return out
	}
	return append(out, sim.Decision{Kind: sim.Watch, Job: j, Counter: sim.Service, Bound: p.cfg.bounds[m.level]})
}

// reserved takes jobs out of the list of jobs that wait for others to stop where they do so no
// more.
func (p *Policy) reserved() {
	p.reserves = slices.DeleteFunc(p.reserves, func(j sim.JobID) bool { return p.jobs[j].where != reserving })
}
