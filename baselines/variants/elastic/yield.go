package elastic

import (
	"cmp"
	"slices"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/cluster"
)

// giver is a running job that may give GPUs to one that waits.
type giver struct {
	job         sim.JobID
	here        int // GPUs that it holds in the unit
	held, floor int // GPUs that it holds, and the GPUs that it keeps at least
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
func (s *Sizes) yieldAll(p *contest.Policy, v *sim.View) {
	for {
		var in *contest.Class
		var best *contest.Entry
		for _, c := range p.Classes() {
			if c.Live == 0 || c.Closed || c.Tried {
				continue
			}
			if e := c.Best(); best == nil || e.Before(best) {
				in, best = c, e
			}
		}
		if best == nil {
			break
		}
		in.Tried = !s.admit(p, v, in, *best)
	}
	for _, c := range p.Classes() {
		c.Tried = false
	}
}

// admit starts a waiting job where running jobs have to give the fewest GPUs for it, if they can.
// They give none to one that asks for CPU or memory: what theirs have of these may not be enough.
func (s *Sizes) admit(p *contest.Policy, v *sim.View, c *contest.Class, e contest.Entry) bool {
	f := v.Free().Of(c.Per.Type)
	if f == nil || c.Asks() || v.Run(e.Job).State() == sim.Running {
		return false
	}
	at, lacks, found := unit{}, 0, false
	each := func(u unit) {
		free := 0
		for m := u.lo; m < u.hi; m++ {
			free += f.InMachine(m)
		}
		n := c.Least - free
		if found && n >= lacks {
			return
		}
		s.collect(p, v, u, c.Per.Type)
		for i := range s.givers {
			free += s.givers[i].can()
		}
		if free >= c.Least {
			at, lacks, found = u, n, true
		}
	}
	s.units(v, c.Near, each)
	if !found || lacks <= 0 {
		return false
	}
	s.collect(p, v, at, c.Per.Type)
	for ; lacks > 0; lacks -= s.next(p, v) {
	}
	s.give(p, v, at, c.Per.Type)
	s.startIn(p, v, c, e, at)
	return true
}

// units visits the units of a level.
func (s *Sizes) units(v *sim.View, l cluster.Level, visit func(u unit)) {
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
func (s *Sizes) collect(p *contest.Policy, v *sim.View, u unit, typ string) {
	s.givers = s.givers[:0]
	for m := u.lo; m < u.hi; m++ {
		lo, hi := v.Topology().MachineGPUs(m)
		for g := lo; g < hi; g++ {
			j := v.Owner(g)
			if j == sim.NoJob || !v.Up(g) || !contest.OfType(v, g, typ) {
				continue
			}
			if i := slices.IndexFunc(s.givers, func(x giver) bool { return x.job == j }); i >= 0 {
				s.givers[i].here++
			} else if s.changeable(p, v, j) {
				s.givers = append(s.givers, s.giver(v, j))
			}
		}
	}
}

func (s *Sizes) giver(v *sim.View, j sim.JobID) giver {
	floor, _ := v.Job(j).Range()
	if s.rules.Yield == yieldGrown {
		floor = v.Job(j).GPUs()
	}
	return giver{job: j, here: 1, held: len(v.Run(j).Held()), floor: floor, step: v.Job(j).WorkerGPUs()}
}

// changeable reports whether a running job may change its number of GPUs in the middle of a lease.
func (s *Sizes) changeable(p *contest.Policy, v *sim.View, j sim.JobID) bool {
	return Elastic(v, j) && v.Run(j).State() == sim.Running && v.Now()-v.Run(j).Since() >= s.rest &&
		!p.Expired(j) && p.Planned(j) == nil
}

// next has the next job in the order of Yield give a step, and states how many GPUs that is.
func (s *Sizes) next(p *contest.Policy, v *sim.View) int {
	best, least := -1, 0.0
	for i := range s.givers {
		g := &s.givers[i]
		if g.can() == 0 {
			continue
		}
		x := -float64(g.held - g.gives)
		if s.rules.Yield == yieldLoss {
			x = s.loss(p, v, g)
		}
		if best < 0 || x < least || x == least && g.job < s.givers[best].job {
			best, least = i, x
		}
	}
	g := &s.givers[best]
	g.gives += g.step
	return g.step
}

// loss is by how much the speed of a job falls with its next step, in reference GPUs.
func (s *Sizes) loss(p *contest.Policy, v *sim.View, g *giver) float64 {
	n := len(p.GPUs)
	p.GPUs = s.most(v, append(p.GPUs, v.Run(g.job).Held()...), n, g.held-g.gives)
	before := v.Predict(g.job, sim.Placement{GPUs: p.GPUs[n:], Alone: true}).Rate
	p.GPUs = s.most(v, p.GPUs, n, g.held-g.gives-g.step)
	after := v.Predict(g.job, sim.Placement{GPUs: p.GPUs[n:], Alone: true}).Rate
	p.GPUs = p.GPUs[:n]
	return before - after
}

// give plans the smaller allocations of the givers and frees the rest. A job that has more
// elsewhere leaves the unit where it may.
func (s *Sizes) give(p *contest.Policy, v *sim.View, u unit, typ string) {
	slices.SortFunc(s.givers, func(a, b giver) int { return cmp.Compare(a.job, b.job) })
	may := func(g cluster.GPU) bool {
		m := v.Topology().Machine(g)
		return m >= u.lo && m < u.hi && v.Up(g) && contest.OfType(v, g, typ)
	}
	for i := range s.givers {
		g := &s.givers[i]
		if g.gives == 0 {
			continue
		}
		if rest := g.held - g.here; rest > 0 && rest >= g.floor && rest%g.step == 0 {
			g.gives = g.here
		}
		gr := contest.Grant{Job: g.job, Lo: len(p.GPUs), Kind: contest.Gives}
		p.GPUs = append(p.GPUs, v.Run(g.job).Held()...)
		for range g.gives {
			k := gr.Lo + loosest(v.Topology(), p.GPUs[gr.Lo:], may)
			v.Free().Release(p.GPUs[k])
			p.GPUs = slices.Delete(p.GPUs, k, k+1)
		}
		gr.Hi = len(p.GPUs)
		p.Grants = append(p.Grants, gr)
	}
}

// startIn plans the start of a contestant in a unit that has room for the fewest GPUs it takes.
func (s *Sizes) startIn(p *contest.Policy, v *sim.View, c *contest.Class, e contest.Entry, u unit) {
	f := v.Free().Of(c.Per.Type)
	gr := contest.Grant{Job: e.Job, Lo: len(p.GPUs), Level: c.Near, Since: e.Since}
	n := c.Least
	switch c.Near {
	case cluster.LevelRack:
		p.GPUs = f.FromRack(p.GPUs, v.Topology().Rack(u.lo), n, p.Rule())
	case cluster.LevelCluster:
		p.GPUs, _ = f.At(p.GPUs, n, c.Near, p.Rule())
	default:
		p.GPUs = f.FromMachine(p.GPUs, u.lo, n, p.Rule())
	}
	slices.Sort(p.GPUs[gr.Lo:])
	gr.Hi = len(p.GPUs)
	v.Free().TakeAll(p.GPUs[gr.Lo:gr.Hi])
	c.Remove(e.Job)
	p.Grants = append(p.Grants, gr)
	if !p.Late {
		p.Accepted(v, c, c.Near, e)
	}
}
