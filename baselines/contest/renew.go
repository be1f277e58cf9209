package contest

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// A frequent instant is one at which a single lease ends and no waiting job can take what is free and
// what its holder has: each is too large, or has not waited long enough for a place on several machines.
// The holder is then the only contestant, and keeps its GPUs without a contest.

// isSimple reports whether a contest is what Config alone states, without rules of a variant.
func (p *Policy) isSimple() bool {
	c := &p.cfg
	return p.ranker == nil && !c.Evict && !c.Return && c.Backfill == NoBackfill && c.Places == nil && c.Sizes == nil &&
		c.Owners == nil && c.Sharing == nil && c.Clock == nil
}

// alone gives the job that is the only contestant of an instant and keeps its GPUs, since no place is
// tighter; NoJob where that is not certain.
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
	free := v.Free()
	room, most := free.Total()+len(held), 0
	for _, c := range p.classes {
		if c.Live == 0 || c.Least > room {
			continue
		}
		if most == 0 {
			m := v.Topology().Machine(held[0]) // the tightest place is on one machine
			most = max(free.Largest(cluster.LevelMachine), free.InMachine(m)+len(held))
		}
		if !c.plain || c.GPUs <= most || !p.waits(v, c) {
			return sim.NoJob
		}
	}
	return j
}

// renew renews the lease of the only contestant.
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
