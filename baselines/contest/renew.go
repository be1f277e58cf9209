package contest

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// A frequent instant is one at which a single lease ends and its holder keeps its GPUs: what is free beside
// them is too little for each waiting job, and those for which it would do with them come later in the
// order. Such a renewal needs no contest.

// isSimple reports whether a contest is what Config alone states, without rules of a variant.
func (p *Policy) isSimple() bool {
	c := &p.cfg
	return p.ranker == nil && !c.Evict && !c.Return && c.Backfill == NoBackfill && c.Places == nil && c.Sizes == nil &&
		c.Owners == nil && c.Sharing == nil && c.Clock == nil
}

// alone gives the job that is the only one to get anything at an instant, and keeps its GPUs, since no place
// is tighter; NoJob where that is not certain.
func (p *Policy) alone(v *sim.View) sim.JobID {
	events := v.Events()
	if !p.simple || len(events) != 1 || events[0].Kind != sim.Expire {
		return sim.NoJob
	}
	j := events[0].Job
	held := v.Run(j).Held()
	if c := p.ClassOf(j); !c.plain || len(held) != c.GPUs || !v.Topology().Tightest(held) {
		return sim.NoJob
	}
	now, with := p.roomWith(v, held)
	e := Entry{Job: sim.NoJob}
	for _, c := range p.classes {
		switch {
		case c.Live == 0 || c.usual && !p.finds(v, c, with):
			continue
		case !c.usual || p.finds(v, c, now):
			return sim.NoJob
		case e.Job == sim.NoJob:
			e = p.contestant(v, j, v.Now())
		}
		if c.Best().Before(&e) {
			return sim.NoJob
		}
	}
	return j
}

// roomWith is what is free now, and with the GPUs of a job that are on one machine.
func (p *Policy) roomWith(v *sim.View, held []cluster.GPU) (now, with room) {
	n, m, free := len(held), v.Topology().Machine(held[0]), v.Free()
	now = roomOf(free)
	return now, room{machine: max(now.machine, free.InMachine(m)+n),
		rack: max(now.rack, free.InRack(v.Topology().Rack(m))+n), total: now.total + n}
}

// renew renews the lease of the job that alone gave.
func (p *Policy) renew(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	p.forget()
	held := v.Run(j).Held()
	if p.Late = v.Run(j).CheckpointTime() > 0; !p.Late {
		level := max(cluster.LevelSlot, v.Topology().LevelOf(held))
		p.Accepted(v, p.ClassOf(j), level, Entry{Job: j, Since: v.Now()})
	}
	out = append(out, sim.Decision{Kind: sim.Renew, Job: j, Lease: p.LeaseFor(v, j, held)})
	return p.wake(v, out)
}
