package dally

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// giver is a running job that may give GPUs to one that waits.
type giver struct {
	job         sim.JobID
	here        int // GPUs that it holds in the unit
	held, floor int // GPUs that it holds, and those that it keeps at least
	step, gives int
}

// can is how many more GPUs it may give.
func (g *giver) can() int {
	return max(0, min(g.here, g.held-g.floor)-g.gives) / g.step * g.step
}

// unit is a range of machines in which a job is near.
type unit struct{ lo, hi int }

// yieldAll admits jobs that would wait, the first in order first, while running jobs can give
// enough.
func (p *Policy) yieldAll(v *sim.View) {
	for {
		var in *class
		var best *entry
		for _, c := range p.classes {
			if c.live == 0 || c.closed || c.tried {
				continue
			}
			if e := c.best(); best == nil || e.before(best) {
				in, best = c, e
			}
		}
		if best == nil {
			break
		}
		in.tried = !p.admit(v, in, *best)
	}
	for _, c := range p.classes {
		c.tried = false
	}
}

// admit starts a waiting job where running jobs have to give the fewest GPUs for it, if they can.
// They give none to one that asks for CPU or memory: what theirs have of these may not be enough.
func (p *Policy) admit(v *sim.View, c *class, e entry) bool {
	f := v.Free().Of(c.typ)
	if f == nil || c.asks() || v.Run(e.job).State() == sim.Running {
		return false
	}
	at, lacks, found := unit{}, 0, false
	each := func(u unit) {
		free := 0
		for m := u.lo; m < u.hi; m++ {
			free += f.InMachine(m)
		}
		n := c.least - free
		if found && n >= lacks {
			return
		}
		p.collect(v, u, c.typ)
		for i := range p.givers {
			free += p.givers[i].can()
		}
		if free >= c.least {
			at, lacks, found = u, n, true
		}
	}
	p.units(v, c.near, each)
	if !found || lacks <= 0 {
		return false
	}
	p.collect(v, at, c.typ)
	for ; lacks > 0; lacks -= p.next(v) {
	}
	p.give(v, at, c.typ)
	p.startIn(v, c, e, at)
	return true
}

// units visits the units of a level.
func (p *Policy) units(v *sim.View, l cluster.Level, visit func(u unit)) {
	t := v.Topology()
	switch l {
	case cluster.LevelRack:
		for r := range t.Racks() {
			lo, hi := t.RackMachines(r)
			visit(unit{lo, hi})
		}
	case cluster.LevelCluster:
		visit(unit{0, t.Machines()})
	default:
		for m := range t.Machines() {
			visit(unit{m, m + 1})
		}
	}
}

// collect finds the running jobs that may give GPUs of a unit.
func (p *Policy) collect(v *sim.View, u unit, typ string) {
	p.givers = p.givers[:0]
	for m := u.lo; m < u.hi; m++ {
		lo, hi := v.Topology().MachineGPUs(m)
		for g := lo; g < hi; g++ {
			j := v.Owner(g)
			if j == sim.NoJob || !v.Up(g) || !ofType(v, g, typ) {
				continue
			}
			if i := slices.IndexFunc(p.givers, func(x giver) bool { return x.job == j }); i >= 0 {
				p.givers[i].here++
			} else if p.changeable(v, j) {
				p.givers = append(p.givers, p.giver(v, j))
			}
		}
	}
}

func (p *Policy) giver(v *sim.View, j sim.JobID) giver {
	floor, _ := v.Job(j).Range()
	if p.cfg.Elastic.Yield == yieldGrown {
		floor = v.Job(j).GPUs()
	}
	return giver{job: j, here: 1, held: len(v.Run(j).Held()), floor: floor, step: v.Job(j).WorkerGPUs()}
}

// changeable reports whether a running job may change its number of GPUs in the middle of a lease.
func (p *Policy) changeable(v *sim.View, j sim.JobID) bool {
	return p.elastic(v, j) && v.Run(j).State() == sim.Running && v.Now()-v.Run(j).Since() >= p.rest &&
		!slices.Contains(p.expired, j) && p.planned(j) == nil
}

// next has the next job in the order of Yield give a step, and says how many GPUs that is.
func (p *Policy) next(v *sim.View) int {
	best, least := -1, 0.0
	for i := range p.givers {
		g := &p.givers[i]
		if g.can() == 0 {
			continue
		}
		x := -float64(g.held - g.gives)
		if p.cfg.Elastic.Yield == yieldLoss {
			x = p.loss(v, g)
		}
		if best < 0 || x < least || x == least && g.job < p.givers[best].job {
			best, least = i, x
		}
	}
	g := &p.givers[best]
	g.gives += g.step
	return g.step
}

// loss is by how much the speed of a job falls with its next step, in reference GPUs.
func (p *Policy) loss(v *sim.View, g *giver) float64 {
	n := len(p.buf)
	p.buf = p.most(v, append(p.buf, v.Run(g.job).Held()...), n, g.held-g.gives)
	before := v.Predict(g.job, sim.Placement{GPUs: p.buf[n:], Alone: true}).Rate
	p.buf = p.most(v, p.buf, n, g.held-g.gives-g.step)
	after := v.Predict(g.job, sim.Placement{GPUs: p.buf[n:], Alone: true}).Rate
	p.buf = p.buf[:n]
	return before - after
}

// give plans the smaller allocations of the givers and frees the rest. A job that has more
// elsewhere leaves the unit where it may.
func (p *Policy) give(v *sim.View, u unit, typ string) {
	slices.SortFunc(p.givers, func(a, b giver) int { return cmp.Compare(a.job, b.job) })
	may := func(g cluster.GPU) bool {
		m := v.Topology().Machine(g)
		return m >= u.lo && m < u.hi && v.Up(g) && ofType(v, g, typ)
	}
	for i := range p.givers {
		g := &p.givers[i]
		if g.gives == 0 {
			continue
		}
		if rest := g.held - g.here; rest > 0 && rest >= g.floor && rest%g.step == 0 {
			g.gives = g.here
		}
		gr := grant{job: g.job, lo: len(p.buf), kind: gives}
		p.buf = append(p.buf, v.Run(g.job).Held()...)
		for range g.gives {
			k := gr.lo + loosest(v.Topology(), p.buf[gr.lo:], may)
			v.Free().Release(p.buf[k])
			p.buf = slices.Delete(p.buf, k, k+1)
		}
		gr.hi = len(p.buf)
		p.grants = append(p.grants, gr)
	}
}

// startIn plans the start of a contestant in a unit that has room for the fewest GPUs it takes.
func (p *Policy) startIn(v *sim.View, c *class, e entry, u unit) {
	f := v.Free().Of(c.typ)
	gr := grant{job: e.job, lo: len(p.buf), level: c.near, since: e.since}
	n := c.least
	switch c.near {
	case cluster.LevelRack:
		p.buf = f.FromRack(p.buf, v.Topology().Rack(u.lo), n, p.cfg.Rule)
	case cluster.LevelCluster:
		p.buf, _ = f.At(p.buf, n, c.near, p.cfg.Rule)
	default:
		p.buf = f.FromMachine(p.buf, u.lo, n, p.cfg.Rule)
	}
	slices.Sort(p.buf[gr.lo:])
	gr.hi = len(p.buf)
	v.Free().TakeAll(p.buf[gr.lo:gr.hi])
	c.remove(e.job)
	p.grants = append(p.grants, gr)
	if !p.late {
		p.accepted(v, c, c.near, &e)
	}
}
