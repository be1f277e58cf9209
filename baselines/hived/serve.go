package hived

import (
	"slices"
	"strconv"

	"tarry/baselines/hived/cells"
	"tarry/sim"
	"tarry/sim/cluster"
)

// serve starts jobs: jobs whose reserved GPUs are idle now, then the lines of virtual clusters as
// long as that changes anything, then opportunistic jobs.
func (p *Policy) serve(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.freed {
		out = p.resume(v, out)
	}
	for p.moved = true; p.moved; {
		p.moved = false
		for i := range p.lines[:len(p.lines)-1] {
			l := &p.lines[i]
			if l.dirty {
				l.reopen()
				l.dirty = false
			}
			out = p.guaranteed(v, i, out)
		}
	}
	return p.idle(v, out)
}

// resume asks again for the jobs that reserved GPUs.
func (p *Policy) resume(v *sim.View, out []sim.Decision) []sim.Decision {
	p.list = append(p.list[:0], p.reserves...)
	for _, j := range p.list {
		m := &p.jobs[j]
		if m.where != reserving { // a stronger one has just canceled it
			continue
		}
		c := &p.lines[m.line].classes[m.class]
		ok := false
		if out, ok = p.ask(v, j, c, int(m.try), out); !ok {
			out = p.enlist(v, j, out)
			p.lines[m.line].dirty = true
		}
	}
	p.reserved()
	return out
}

// guaranteed tries the jobs of a virtual cluster in order.
func (p *Policy) guaranteed(v *sim.View, i int, out []sim.Decision) []sim.Decision {
	l := &p.lines[i]
	for l.n > 0 {
		open := func(c *class) bool { return !c.shut }
		if p.cfg.strict {
			open = func(*class) bool { return true }
		}
		k := l.first(open)
		if k < 0 || l.classes[k].shut {
			break
		}
		c := &l.classes[k]
		j := c.jobs[0].job
		met := false
		for n := range c.tries {
			if out, met = p.ask(v, j, c, n, out); met {
				break
			}
		}
		if !met {
			c.shut = true
			continue
		}
		l.drop(k, j)
		if p.cfg.lazy { // it may have taken cells, and others of the weaker job are free now
			l.dirty = true
			l.reopen()
		}
	}
	return out
}

// idle starts jobs on idle GPUs, the earliest first: opportunistic ones and, if the settings
// have it, jobs that wait for cells.
func (p *Policy) idle(v *sim.View, out []sim.Decision) []sim.Decision {
	last := len(p.lines) - 1
	from := last
	if p.cfg.over == "waiting" {
		from = 0
	}
	if p.freed {
		for i := from; i <= last; i++ {
			for k := range p.lines[i].classes {
				p.lines[i].classes[k].shutLoose = false
			}
		}
	}
	p.lines[last].dirty = false
	for {
		best, at := int32(-1), -1
		for i := from; i <= last; i++ {
			l := &p.lines[i]
			if l.n == 0 {
				continue
			}
			k := l.first(func(c *class) bool { return !c.shutLoose && len(c.loose) > 0 })
			if k >= 0 && (at < 0 || l.classes[k].jobs[0].job < p.lines[at].classes[best].jobs[0].job) {
				best, at = k, i
			}
		}
		if at < 0 {
			return out
		}
		c := &p.lines[at].classes[best]
		j, met := c.jobs[0].job, false
		for n := range c.loose {
			if met = p.loosely(j, c, n); met {
				break
			}
		}
		if !met {
			c.shutLoose = true
			continue
		}
		p.lines[at].drop(best, j)
		out = p.start(v, j, &c.loose[p.jobs[j].try], out)
	}
}

// loosely asks for idle GPUs.
func (p *Policy) loosely(j sim.JobID, c *class, n int) bool {
	m := &p.jobs[j]
	d, err := p.cells.Gang(c.loose[n].pod(m.name, p.nobody, cells.Opportunistic), cells.Options{})
	m.try, m.loose = int16(n), true
	return err == nil && d.Result == cells.Bind
}

// ask asks the cells for a job in one way. Jobs that stand in its way are stopped; it starts now,
// or reserves its GPUs until they have written their checkpoints. false: there are no cells for it.
func (p *Policy) ask(v *sim.View, j sim.JobID, c *class, n int, out []sim.Decision) ([]sim.Decision, bool) {
	m := &p.jobs[j]
	pod := c.tries[n].pod(m.name, p.lines[m.line].vc, int(m.prio))
	pod.Lazy = p.cfg.lazy
	for {
		d, err := p.cells.Gang(pod, cells.Options{})
		switch {
		case err != nil || d.Result == cells.Wait:
			return out, false
		case d.Result == cells.Bind:
			m.try, m.loose = int16(n), false
			return p.start(v, j, &c.tries[n], p.displaced(v, out)), true
		}
		still := false
		for _, name := range d.Victims {
			k, _ := strconv.Atoi(name)
			out = p.stop(v, sim.JobID(k), out)
			still = still || p.jobs[k].where == stopping
		}
		if still {
			if m.where != reserving {
				p.reserves = append(p.reserves, j)
			}
			m.where, m.try, m.loose = reserving, int16(n), false
			return p.displaced(v, out), true
		}
	}
}

// displaced puts jobs back into their lines whose reservation a stronger job canceled.
func (p *Policy) displaced(v *sim.View, out []sim.Decision) []sim.Decision {
	gone := false
	for _, j := range p.reserves {
		if m := &p.jobs[j]; m.where == reserving && p.cells.State(m.name) == cells.Absent {
			out = p.enlist(v, j, out)
			p.lines[m.line].dirty, p.freed, gone = true, true, true
		}
	}
	if gone {
		p.reserved()
	}
	return out
}

// stop preempts a job.
func (p *Policy) stop(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	m := &p.jobs[j]
	if m.where != running {
		return out
	}
	p.moved = true
	switch v.Run(j).State() {
	case sim.Waiting: // it was to start at this instant, in the place of one that stopped
		out = slices.DeleteFunc(out, func(d sim.Decision) bool {
			return d.Job == j &&
				(d.Kind == sim.Start || d.Kind == sim.Watch)
		})
	default:
		out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
		if v.Run(j).CheckpointTime() > 0 {
			m.where = stopping
			return out
		}
	}
	p.release(j)
	return p.enlist(v, j, out)
}

// start gives a job the GPUs that the cells name.
func (p *Policy) start(v *sim.View, j sim.JobID, t *try, out []sim.Decision) []sim.Decision {
	m := &p.jobs[j]
	var gpus []cluster.GPU
	k := 0
	p.cells.Each(m.name, func(pod []int) {
		for _, g := range pod[:t.take[k]] {
			gpus = append(gpus, cluster.GPU(g))
		}
		k++
	})
	slices.Sort(gpus)
	m.where, p.moved = running, true
	return p.watch(j, append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus}))
}

// Measures gives the GPUs of the cells that each virtual cluster owns.
func (p *Policy) Measures(yield func(name, of, unit string, value float64)) {
	if p.cells == nil {
		return
	}
	for i := range p.lines[:len(p.lines)-1] {
		yield("cells_gpus", p.lines[i].vc, "gpus", float64(p.cells.Bought(p.lines[i].vc)))
	}
}
