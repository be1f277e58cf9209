package dally

import (
	"slices"
	"sort"

	"tarry/sim"
	"tarry/sim/cluster"
)

// reopen puts the GPUs of ended leases up for contest, and their holders among the contestants.
func (p *Policy) reopen(v *sim.View, out []sim.Decision) []sim.Decision {
	p.late = false
	for _, j := range p.expired {
		slow := v.Run(j).CheckpointTime() > 0
		p.gets(p.classes[p.of[j]].party, -len(v.Run(j).Held()))
		if p.cfg.Return {
			out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
			p.running.ends(j)
			if slow {
				continue // it contests when its checkpoint is written
			}
		}
		p.late = p.late || slow
		if !p.shares(v, j) { // else its GPUs are not there to contest for
			v.Free().ReleaseAll(v.Run(j).Held())
		}
		p.enter(v, j)
	}
	return out
}

// Contest lets the contestants choose, first in order first, until nobody finds a place. A job
// that finds none keeps its place in the order while later ones are tried; since GPUs only
// become fewer here, asking each class of demand for its first that fits gives the same
// outcome as walking all jobs.
func (p *Policy) Contest(v *sim.View) {
	if p.cfg.Backfill != NoBackfill {
		p.contestBehind(v)
		return
	}
	for {
		in, best, at := p.first(v)
		if best == nil {
			return
		}
		if p.cfg.Elastic.on() && p.spreadElsewhere(v, in, *best, at) {
			continue
		}
		p.take(v, in, *best, at)
	}
}

// first is the first in order of all that find a place now, and the level of that place; nil when
// nobody does.
func (p *Policy) first(v *sim.View) (in *class, best *entry, at cluster.Level) {
	total := v.Free().Total()
	if total == 0 {
		return nil, nil, 0
	}
	for _, c := range p.classes {
		if c.live == 0 || c.closed || c.least > total {
			continue
		}
		if e, l := p.candidate(v, c); e != nil && (best == nil || p.ahead(c, e, in, best)) {
			in, best, at = c, e, l
		}
	}
	return in, best, at
}

// candidate is the first of a class that finds a place now, and the level of that place.
func (p *Policy) candidate(v *sim.View, c *class) (*entry, cluster.Level) {
	f := p.freeFor(v, c)
	if f == nil {
		return nil, 0
	}
	e, l := p.whole(v, f, c)
	if c.least < c.gpus {
		return p.orSmaller(f, c, e, l)
	}
	return e, l
}

// whole is the candidate for a place of the demand's size.
func (p *Policy) whole(v *sim.View, f *cluster.Free, c *class) (*entry, cluster.Level) {
	g := c.gpus
	switch {
	case g > f.Total():
		return nil, 0
	case p.cfg.Tiresias:
		return p.relaxed(f, c)
	case g <= f.Largest(cluster.LevelSlot):
		return c.best(), cluster.LevelSlot
	case g <= f.Largest(cluster.LevelMachine):
		return c.best(), cluster.LevelMachine
	}
	rack, net, _ := p.source(c).Timers(g, v.Now())
	inRack := g <= f.Largest(cluster.LevelRack)
	var e *entry
	if inRack {
		e = p.waited(v, c, rack, c.fits > cluster.LevelMachine)
	}
	if n := p.waited(v, c, net, c.fits > cluster.LevelRack); n != nil && (e == nil || n.before(e)) {
		e = n
	}
	if e == nil {
		return nil, 0
	}
	if inRack && (c.fits > cluster.LevelMachine || p.open(v, e, rack)) {
		return e, cluster.LevelRack
	}
	return e, cluster.LevelCluster
}

// waited is the first in order among those whose timer is open.
func (p *Policy) waited(v *sim.View, c *class, timer sim.Time, always bool) *entry {
	switch {
	case always:
		return c.best()
	case timer == sim.Never:
		return nil
	case p.shadow != nil:
		return c.bestOf(sort.Search(c.n, func(i int) bool { return !p.open(v, &c.list[i], timer) }))
	case timer > v.Now():
		return nil
	}
	return c.bestBefore(v.Now() - timer)
}

// open reports whether a timer of a contestant has ended.
func (p *Policy) open(v *sim.View, e *entry, timer sim.Time) bool {
	switch {
	case timer == sim.Never:
		return false
	case p.shadow != nil:
		return p.shadow.now-e.sinceS >= timer.Seconds()
	}
	return e.since <= v.Now()-timer
}

// take plans a place for a contestant.
func (p *Policy) take(v *sim.View, c *class, e entry, level cluster.Level) {
	free := v.Free()
	gr := grant{job: e.job, lo: len(p.buf), level: level, since: e.since}
	p.place(p.freeFor(v, c), c, level)
	if v.Run(e.job).State() == sim.Running && !p.cfg.Return && !slices.Contains(p.victims, e.job) {
		p.keep(v, c, &gr)
	}
	gr.hi = len(p.buf)
	free.TakeAll(p.buf[gr.lo:gr.hi])
	c.remove(e.job)
	p.gets(c.party, gr.hi-gr.lo)
	p.grants = append(p.grants, gr)
	if !p.late {
		p.accepted(v, c, level, &e)
	}
}

// accepted reports to the timers of a place that a contestant took.
func (p *Policy) accepted(v *sim.View, c *class, level cluster.Level, e *entry) {
	by := p.source(c)
	if t, ok := by.(*tuner); ok && p.shadow != nil {
		t.record(c.gpus, level, (p.shadow.now-e.sinceS)/p.cfg.LeaseS, v.Now())
		return
	}
	by.Accepted(c.gpus, level, v.Now()-e.since, v.Now())
}

func allFree(f *cluster.Free, gpus []cluster.GPU) bool {
	for _, g := range gpus {
		if !f.Has(g) {
			return false
		}
	}
	return true
}

// emit turns the plan into decisions: first those who lose their GPUs, then the grants.
func (p *Policy) emit(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.release(v, out)
	if !p.cfg.Return {
		out = p.dismiss(v, out)
	}
	for i := range p.grants {
		gr := &p.grants[i]
		gpus := p.buf[gr.lo:gr.hi]
		c := p.classes[p.of[gr.job]]
		switch {
		case gr.releases(v):
			continue // resized above
		case gr.kind != begins:
			out = append(out, p.resize(v, gr))
			p.running.starts(v, gr.job)
			continue
		case p.late && v.Run(gr.job).State() == sim.Running && v.Run(gr.job).CheckpointTime() > 0:
			continue // preempted above; it contests again when its checkpoint is written
		case p.late && (p.draining(v, gpus) || c.asks() && p.slow(v, gpus)):
			c.restore(gr.job) // its GPUs are not free yet
			continue
		}
		if p.late {
			p.source(c).Accepted(c.gpus, gr.level, v.Now()-gr.since, v.Now())
		}
		out = append(out, sim.Decision{Kind: sim.Start, Job: gr.job, GPUs: gpus, Lease: p.leaseFor(v, gr.job, gpus)})
		p.running.starts(v, gr.job)
	}
	return out
}

// dismiss preempts the holders of ended leases that did not win their own GPUs again.
func (p *Policy) dismiss(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, j := range p.expired {
		won, own := p.wonBy(j)
		c := p.classes[p.of[j]]
		switch {
		case own:
			continue
		case !won && p.shares(v, j):
			c.remove(j)
			out = append(out, sim.Decision{Kind: sim.Renew, Job: j, Lease: p.leaseFor(v, j, v.Run(j).Held())})
			p.running.starts(v, j)
			continue
		case !won && p.cfg.Keep && allFree(v.Free(), v.Run(j).Held()) && p.carries(v, c, v.Run(j).Held()):
			v.Free().TakeAll(v.Run(j).Held())
			c.remove(j)
			out = append(out, sim.Decision{Kind: sim.Renew, Job: j, Lease: p.leaseFor(v, j, v.Run(j).Held())})
			p.running.starts(v, j)
			continue
		}
		if !won && v.Run(j).CheckpointTime() > 0 {
			c.remove(j) // it comes back when its checkpoint is written
		}
		out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
		p.running.ends(j)
	}
	return out
}

func (p *Policy) wonBy(j sim.JobID) (won, own bool) {
	for i := range p.grants {
		if p.grants[i].job == j {
			return true, p.grants[i].kind != begins
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

// leaseFor is the length of a grant: a lease, or with chunks up to a point between two of them.
func (p *Policy) leaseFor(v *sim.View, j sim.JobID, gpus []cluster.GPU) sim.Time {
	switch {
	case p.lease == sim.Never:
		return 0
	case p.cfg.Chunk > 0:
		return p.hold(v, j, gpus)
	}
	return p.lease
}
