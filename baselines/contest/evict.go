package contest

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan/victim"
)

// evictions is what Config.Evict keeps beside the contest.
type evictions struct {
	leaseS        float64 // unit of both, s; also where grants are no leases
	minRun, every sim.Time
	last          sim.Time // instant at which a job was evicted
	any           bool     // a job was evicted
	within        sim.Time // Config.WaitCheckpoint
	hold          sim.Time // no job is evicted before this checkpoint
	pool          []goer   // scratch, as the next
	set           []sim.JobID

	blocked sim.JobID // for whom the last victim went, at this instant
	sure    int       // GPUs of running jobs that come later than it, at least
}

// evictLater is preemption by a rule. The first in order that found no place is blocked. If it
// lacks GPUs, and the GPUs of running jobs later in the order, free GPUs and GPUs whose holders
// write a checkpoint would do, the last of these jobs goes (of equals the one submitted first), and
// the contest runs again; and so on. A job that has room and waits for a better place evicts no
// job.
//
// A job is spared in its first MinRun leases on its GPUs, when its lease is up at this instant, and
// when the blocked job can use none of its GPUs. Nothing is an event for this rule's sake: it looks
// when Dally does. In the order of arrival those go who overtook the blocked job when it found no
// place.
func (p *Policy) evictLater(v *sim.View) {
	if v.Now() < p.evicts.hold || p.evicts.any && v.Now()-p.evicts.last < p.evicts.every {
		return
	}
	p.evicts.sure = 0
	for {
		blocked, ok := p.Blocked()
		if !ok {
			return
		}
		if p.cfg.Victims != victim.OneByOne || len(p.cfg.Weights) > 0 {
			if !p.evictSet(v, blocked) {
				return
			}
		} else if last := p.victimFor(v, blocked); last != sim.NoJob {
			p.Evict(v, last)
		} else {
			return
		}
		p.Contest(v)
	}
}

// victimFor is who goes for a blocked job, or NoJob.
func (p *Policy) victimFor(v *sim.View, blocked sim.JobID) sim.JobID {
	typ, lacks := v.Job(blocked).GPUType(), p.Lacks(v, blocked)
	if lacks <= 0 {
		return sim.NoJob
	}
	own := p.Order(v, blocked)
	l := later{own: own, margin: p.cfg.Margin, typ: typ, lacks: lacks, last: sim.NoJob, lastKey: own}
	if coupled, _ := v.Speeds(); p.ranker != nil && !coupled {
		if blocked == p.evicts.blocked {
			l.sure = p.evicts.sure
		}
		p.running.refresh(p, v)
		p.running.search(p, v, &l)
	} else {
		for _, j := range v.Running() {
			if !p.Spared(v, j) {
				l.consider(p, v, j, p.Order(v, j))
			}
		}
	}
	if l.held < lacks {
		return sim.NoJob
	}
	// The keys stay for this instant, and who goes takes no other job along.
	p.evicts.blocked, p.evicts.sure = blocked, l.held-p.Usable(v, l.last, typ)
	return l.last
}

// setMinRun sets for how long running jobs are spared at this instant.
func (p *Policy) setMinRun() {
	leases := p.cfg.MinRun
	if p.ranker != nil {
		leases *= p.ranker.Patience()
	}
	p.evicts.minRun = Leases(leases, p.evicts.leaseS)
}

// Spared reports whether a running job has had its GPUs for too short a time to be evicted.
func (p *Policy) Spared(v *sim.View, j sim.JobID) bool {
	return v.Now()-v.Run(j).Since() < p.evicts.minRun
}

// Lacks is how many more GPUs a blocked job needs than are free or come free; 0 also where it can
// use none.
func (p *Policy) Lacks(v *sim.View, blocked sim.JobID) int {
	f := p.FreeFor(v, p.ClassOf(blocked))
	if f == nil {
		return 0
	}
	return v.Job(blocked).GPUs() - f.Total() - p.coming(v, v.Job(blocked).GPUType())
}

// coming counts the GPUs of a type that come free when a checkpoint is written, without a decision.
func (p *Policy) coming(v *sim.View, typ string) int {
	n := 0
	if v.Draining() > 0 {
		for g := range v.Topology().GPUs() {
			if j := v.Owner(cluster.GPU(g)); j != sim.NoJob && v.Run(j).State() == sim.Draining &&
				OfType(v, cluster.GPU(g), typ) {
				n++
			}
		}
	}
	for _, j := range p.victims {
		if v.Run(j).CheckpointTime() > 0 {
			n += p.Usable(v, j, typ)
		}
	}
	if p.cfg.Return { // reopen has preempted who contests when its checkpoint is written
		for _, j := range p.expired {
			if v.Run(j).CheckpointTime() > 0 {
				n += p.Usable(v, j, typ)
			}
		}
	}
	return n
}

// Usable counts the GPUs of a job that one who asks for a type can use.
func (p *Policy) Usable(v *sim.View, j sim.JobID, typ string) int {
	held := v.Run(j).Held()
	if typ == "" {
		return len(held)
	}
	n := 0
	for _, g := range held {
		if OfType(v, g, typ) {
			n++
		}
	}
	return n
}

// ofType is as cluster.Free.Of has it: a cluster that names no type has every type.
func OfType(v *sim.View, g cluster.GPU, typ string) bool {
	if typ == "" {
		return true
	}
	t := v.Topology()
	named := t.Type(t.Machine(g))
	return named == typ || named == "" && len(t.Types()) == 1
}
