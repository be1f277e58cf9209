package contest

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Decide is Begin, the contest and Finish. The pieces are for a scheduler that leaves a choice in
// between to a caller, which may answer later: whether an offer is taken (Next, Accept, Decline),
// and who has to go although no lease has ended (Blocked, Evict). They are not for a Clock, whose
// contests are several in an instant.

// Offer is a place that the first in order may take.
type Offer struct {
	Job sim.JobID
	// Level is the level of the place, Fits the finest level that could ever hold the job.
	Level, Fits cluster.Level
	// Wait is how long the job has waited.
	Wait  sim.Time
	class int32
}

// Begin takes in what happened at an instant and puts up what has expired.
func (p *Policy) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	if !p.inited {
		p.init(v)
	}
	p.forget()
	if p.cfg.Clock != nil {
		return out
	}
	for _, ev := range v.Events() {
		p.Hear(v, ev)
	}
	if p.cfg.Owners != nil {
		p.cfg.Owners.Begin(v, p)
	}
	if p.cfg.Sharing != nil {
		out = plan.RaiseShares(v, out)
	}
	if p.ranker == nil {
		return p.reopen(v, out)
	}
	p.beginRanks(v)
	out = p.reopen(v, out)
	p.rekey(v)
	return out
}

// forget clears what was planned at the last instant.
func (p *Policy) forget() {
	p.GPUs, p.Grants, p.victims = p.GPUs[:0], p.Grants[:0], p.victims[:0]
	p.hosted.forget()
}

// Next is the next offer of the contest; false when no job finds a place any more.
func (p *Policy) Next(v *sim.View) (Offer, bool) {
	in, e, at := p.first(v)
	if e == nil {
		return Offer{}, false
	}
	return Offer{Job: e.Job, Level: at, Fits: in.Fits, Wait: v.Now() - e.Since, class: p.of[e.Job] - 1}, true
}

// Accept takes the offer that Next gave.
func (p *Policy) Accept(v *sim.View, o Offer) {
	c := p.classes[o.class]
	p.take(v, c, c.list[c.pos[o.Job]], o.Level)
}

// Decline lets the job wait. It speaks for all jobs of the same demand until the next instant.
func (p *Policy) Decline(o Offer) { p.classes[o.class].Closed = true }

// Blocked is the first in order of all that found no place; false when no job waits.
func (p *Policy) Blocked() (sim.JobID, bool) {
	var in *Class
	var best *Entry
	for _, c := range p.classes {
		if e := c.Best(); e != nil && (best == nil || p.Ahead(c, e, in, best)) {
			in, best = c, e
		}
	}
	if best == nil {
		return sim.NoJob, false
	}
	return best.Job, true
}

// Play holds the contest and the evictions of an instant, between Begin and Finish.
func (p *Policy) Play(v *sim.View) {
	p.Contest(v)
	if p.cfg.Sizes != nil {
		p.cfg.Sizes.Adjust(p, v)
	}
	if p.cfg.Evict {
		p.evictLater(v)
	}
}

// Evictable reports whether a job runs and its lease is not up for contest at this instant.
func (p *Policy) Evictable(v *sim.View, j sim.JobID) bool {
	return v.Run(j).State() == sim.Running && !slices.Contains(p.expired, j) && !slices.Contains(p.victims, j)
}

// Evict takes the GPUs of an Evictable job at once. When that needs no checkpoint they are there
// for the contest, and the victim contests once the others have chosen; else they come free, and
// the victim contests, when its checkpoint is written.
func (p *Policy) Evict(v *sim.View, j sim.JobID) {
	p.victims = append(p.victims, j)
	p.running.ends(j)
	p.evicts.last, p.evicts.any = v.Now(), true
	if v.Run(j).CheckpointTime() == 0 {
		v.Free().ReleaseAll(v.Run(j).Held())
	}
}

// Finish turns what was chosen into decisions.
func (p *Policy) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, j := range p.victims {
		out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
	}
	if p.cfg.Clock == nil {
		out = p.emit(v, out)
		if p.cfg.Sharing != nil {
			out = p.cfg.Sharing.Share(p, v, out)
		}
		p.expired = p.expired[:0]
		p.emitted()
	}
	if len(p.victims) > 0 {
		for _, j := range p.victims {
			if v.Run(j).CheckpointTime() == 0 {
				p.enter(v, j)
			}
		}
		p.Contest(v)
		out = p.emit(v, out)
		p.emitted()
	}
	for _, c := range p.classes {
		c.Closed = false
	}
	return p.wake(v, out)
}

// Waiting appends what waits, one Entry per demand seen so far, in the order in which they were
// seen.
func (p *Policy) Waiting(dst []plan.Wanted) []plan.Wanted {
	for _, c := range p.classes {
		d := plan.Wanted{GPUs: c.GPUs, Type: c.Per.Type, Waiting: c.Live, Oldest: sim.Never, Fits: c.Fits}
		if c.Live > 0 {
			d.Oldest = c.nextAfter(-1)
		}
		dst = append(dst, d)
	}
	return dst
}
