package contest

import (
	"slices"
	"sort"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Contest lets the contestants choose, first in order first, until no job finds a place. A job
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
		if p.cfg.Sizes != nil && p.cfg.Sizes.Elsewhere(p, v, in, *best, at) {
			continue
		}
		p.take(v, in, *best, at)
	}
}

// first is the first in order of all that find a place now, and the level of that place; nil when
// none does.
func (p *Policy) first(v *sim.View) (in *Class, best *Entry, at cluster.Level) {
	free := v.Free()
	if free.Total() == 0 {
		return nil, nil, 0
	}
	slot, most := free.Largest(cluster.LevelSlot), roomOf(free)
	for _, c := range p.classes {
		if c.Live == 0 || c.Closed || c.Least > most.total {
			continue
		}
		e, l := (*Entry)(nil), cluster.LevelSlot
		switch {
		case c.usual && c.GPUs <= most.machine: // as candidate finds
			if e = c.Best(); c.GPUs > slot {
				l = cluster.LevelMachine
			}
		case c.usual && !p.finds(v, c, most):
			continue
		default:
			e, l = p.candidate(v, c)
		}
		if e != nil && (best == nil || p.Ahead(c, e, in, best)) {
			in, best, at = c, e, l
		}
	}
	return in, best, at
}

// candidate is the first of a class that finds a place now, and the level of that place.
func (p *Policy) candidate(v *sim.View, c *Class) (*Entry, cluster.Level) {
	f := p.FreeFor(v, c)
	if f == nil {
		return nil, 0
	}
	e, l := p.whole(v, f, c)
	if c.Least < c.GPUs {
		return p.cfg.Sizes.Smaller(f, c, e, l)
	}
	return e, l
}

// whole is the candidate for a place of the demand's size.
func (p *Policy) whole(v *sim.View, f *cluster.Free, c *Class) (*Entry, cluster.Level) {
	g := c.GPUs
	switch {
	case g > f.Total():
		return nil, 0
	case p.cfg.Places != nil:
		return p.cfg.Places.Find(f, c, p.capMach)
	case g <= f.Largest(cluster.LevelSlot):
		return c.Best(), cluster.LevelSlot
	case g <= f.Largest(cluster.LevelMachine):
		return c.Best(), cluster.LevelMachine
	}
	rack, net, _ := p.Source(c).Timers(g, v.Now())
	inRack := g <= f.Largest(cluster.LevelRack)
	var e *Entry
	if inRack {
		e = p.Waited(v, c, rack, c.Fits > cluster.LevelMachine)
	}
	if n := p.Waited(v, c, net, c.Fits > cluster.LevelRack); n != nil && (e == nil || n.Before(e)) {
		e = n
	}
	if e == nil {
		return nil, 0
	}
	if inRack && (c.Fits > cluster.LevelMachine || p.open(v, e, rack)) {
		return e, cluster.LevelRack
	}
	return e, cluster.LevelCluster
}

// waited is the first in order among the jobs whose timer is open.
func (p *Policy) Waited(v *sim.View, c *Class, timer sim.Time, always bool) *Entry {
	switch {
	case always:
		return c.Best()
	case timer == sim.Never:
		return nil
	case p.cfg.Clock != nil:
		return c.bestOf(sort.Search(c.n, func(i int) bool { return !p.open(v, &c.list[i], timer) }))
	case timer > v.Now():
		return nil
	}
	return c.bestBefore(v.Now() - timer)
}

// open reports whether a timer of a contestant has ended.
func (p *Policy) open(v *sim.View, e *Entry, timer sim.Time) bool {
	switch {
	case timer == sim.Never:
		return false
	case p.cfg.Clock != nil:
		return p.cfg.Clock.Waited(e, timer)
	}
	return e.Since <= v.Now()-timer
}

// room is the largest number of free GPUs of a machine, of a rack and of the cluster.
type room struct{ machine, rack, total int }

func roomOf(f *cluster.Free) room {
	return room{f.Largest(cluster.LevelMachine), f.Largest(cluster.LevelRack), f.Total()}
}

// finds reports whether some job of a usual class takes a place where there is so much room.
func (p *Policy) finds(v *sim.View, c *Class, r room) bool {
	switch {
	case c.GPUs <= r.machine:
		return true
	case c.GPUs > r.total:
		return false
	}
	rack, net, _ := p.Source(c).Timers(c.GPUs, v.Now())
	inRack := c.GPUs <= r.rack
	switch {
	case c.Fits > cluster.LevelRack || c.Fits > cluster.LevelMachine && inRack:
		return true
	case inRack:
		net = min(rack, net)
	}
	return c.oldest() <= v.Now()-net
}

// take plans a place for a contestant.
func (p *Policy) take(v *sim.View, c *Class, e Entry, level cluster.Level) {
	free := v.Free()
	gr := Grant{Job: e.Job, Lo: len(p.GPUs), Level: level, Since: e.Since}
	f, n := p.FreeFor(v, c), c.GPUs
	if p.cfg.Sizes != nil {
		n = p.cfg.Sizes.Width(f, c, level)
	}
	switch holds := p.holds(v, e.Job); {
	case holds && p.settled(v, c, e.Job):
		p.GPUs, gr.Kind = append(p.GPUs, v.Run(e.Job).Held()...), Renews
	default:
		if p.GPUs, _ = f.At(p.GPUs, n, level, p.cfg.Rule); holds {
			p.keep(v, c, &gr)
		}
	}
	gr.Hi = len(p.GPUs)
	free.TakeAll(p.GPUs[gr.Lo:gr.Hi])
	c.Remove(e.Job)
	p.Gets(c, gr.Hi-gr.Lo)
	p.Grants = append(p.Grants, gr)
	if !p.Late {
		p.Accepted(v, c, level, e)
	}
}

// holds reports whether a contestant still has the GPUs of its last lease: behind a reservation it may
// have lost them at this instant, and find a place when the victims contest.
func (p *Policy) holds(v *sim.View, j sim.JobID) bool {
	return v.Run(j).State() == sim.Running && !p.cfg.Return && !slices.Contains(p.victims, j) &&
		(p.cfg.Clock != nil || slices.Contains(p.expired, j))
}

// Accepted reports to the timers of a class a place that a contestant took.
func (p *Policy) Accepted(v *sim.View, c *Class, level cluster.Level, e Entry) {
	by := p.Source(c)
	if p.cfg.Clock != nil {
		p.cfg.Clock.Accepted(by, c.GPUs, level, e, v.Now())
		return
	}
	by.Accepted(c.GPUs, level, v.Now()-e.Since, v.Now())
}

// Source is the timers of a class.
func (p *Policy) Source(c *Class) plan.TimerSource {
	if c.clock == 0 {
		return p.timers
	}
	return p.cfg.Owners.Timers(c.clock)
}

// Ahead reports whether a contestant of class c goes before one of another class.
func (p *Policy) Ahead(c *Class, e *Entry, than *Class, other *Entry) bool {
	if c.party != than.party {
		if d := p.cfg.Owners.Compare(c.party, than.party); d != 0 {
			return d < 0
		}
	}
	return e.Before(other)
}

// Gets notes that the party of a class has n GPUs more at this instant.
func (p *Policy) Gets(c *Class, n int) {
	if p.cfg.Owners != nil {
		p.cfg.Owners.Gets(c.party, n)
	}
}
