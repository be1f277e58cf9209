package multifactor

import (
	"tarry/baselines/backfill"
	"tarry/baselines/multifactor/fairshare"
	"tarry/sim"
	"tarry/sim/plan"
)

// Policy is one Slurm scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cfg      config
	place    *plan.Placer
	queue    plan.Queue
	ends     backfill.Ends
	profile  backfill.Profile
	tree     *fairshare.Tree
	accounts map[string]int32
	users    map[owner]int32
	jobs     []job
	waiting  []sim.JobID // in no order that matters
	running  []run
	tick     sim.Time // the latest end of a calc period that was looked at
	topPart  int32    // highest priority of a virtual cluster
	topQOS   int32    // highest of a job so far
	machines float64
	gpus     float64
	widest   int
	fresh    bool        // factors are out of date
	period   plan.Alarm  // the end of the next
	round    uint32      // of decisions
	claim    sim.JobID   // waits for the GPUs of jobs that it preempted
	held     []sim.JobID // have a reservation, and are out of the queue for the decision
	victims  []run
	spot     backfill.Spot // keeps GPUs for the first that does not fit, with a rule of places
	kept     sim.Time      // when that is to start
}

// owner is a user in an account.
type owner struct {
	account int32
	user    string
}

// job is what the policy keeps of one.
type job struct {
	user  int32   // node of the tree
	at    int32   // its place among waiting jobs, -1 = none
	qos   int32   // its own priority
	still float64 // what does not change of its priority
}

// run is a running job that is charged from a time on.
type run struct {
	job   sim.JobID
	from  sim.Time
	gpus  float64
	round uint32 // of the decision that started it
}

// Decide follows events and the calc period, and starts jobs.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.jobs == nil {
		p.initialise(v)
	}
	ticked := p.calculate(v.Now())
	for _, ev := range v.Events() {
		p.follow(v, ev)
	}
	if p.fresh {
		p.rank()
	}
	if ticked {
		p.requeue(v)
	}
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive, sim.Drained, sim.OutOfMemory, sim.Fail:
			if ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting && !p.queue.Has(ev.Job) {
				p.enqueue(v, ev.Job)
			}
		}
	}
	if p.cfg.mode != none {
		p.ends.Extend(v.Now())
	}
	n := len(out)
	out = p.serve(v, out)
	return p.wake(v, n, out)
}

// initialise learns the cluster and the tenants.
func (p *Policy) initialise(v *sim.View) {
	t := v.Topology()
	p.jobs = make([]job, v.NumJobs())
	p.machines, p.gpus = float64(t.Machines()), float64(t.GPUs())
	for m := range t.Machines() {
		lo, hi := t.MachineGPUs(m)
		p.widest = max(p.widest, int(hi-lo))
	}
	p.enrol(v)
}

// follow takes in what ended, stopped or arrived.
func (p *Policy) follow(v *sim.View, ev sim.Event) {
	switch {
	case ev.Job == sim.NoJob:
	case ev.Kind == sim.Arrive && v.Run(ev.Job).State() == sim.Waiting:
		p.arrive(v, ev.Job)
	case ev.Kind == sim.Finish, backfill.Stopped(ev):
		p.stop(v.Now(), ev.Job)
	}
}

// serve starts jobs in order of priority.
func (p *Policy) serve(v *sim.View, out []sim.Decision) []sim.Decision {
	if v.Draining() == 0 || p.claim != sim.NoJob && !p.queue.Has(p.claim) {
		p.claim = sim.NoJob
	}
	p.place.Begin(v)
	p.spot.Open()
	p.queue.Open()
	p.round++
	for {
		j := p.queue.Best()
		if j == sim.NoJob {
			return out
		}
		if out = p.start(v, j, out); !p.queue.Has(j) {
			continue
		}
		if p.claim != sim.NoJob { // GPUs that are on their way to a job are not for others
			if j == p.claim {
				return out
			}
			p.queue.Close(j)
			continue
		}
		if p.cfg.preempts {
			if out = p.preempt(v, j, out); p.claim != sim.NoJob {
				return out
			}
			if !p.queue.Has(j) {
				continue
			}
		}
		if v.Free().Total() == 0 && !p.queue.Sharing() {
			return out
		}
		switch p.cfg.mode {
		case none:
			return out
		case easy:
			return p.behindOne(v, j, out)
		}
		return p.behindAll(v, j, out)
	}
}

// start tries to start a job.
func (p *Policy) start(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	return p.began(v, j, p.spot.Start(v, p.place, &p.queue, j, false, out))
}

// began keeps account of a job that was tried, if it starts.
func (p *Policy) began(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	if p.queue.Has(j) {
		return out
	}
	p.leave(j)
	p.running = append(p.running, run{job: j, round: p.round, from: v.Now(), gpus: float64(p.queue.Demand(j).Milli()) /
		1000})
	if p.cfg.mode != none {
		p.ends.Add(j, v.Now(), v.Now()+p.cfg.guess.Of(v, j))
	}
	return out
}

// stop ends the account of a job that lost its GPUs.
func (p *Policy) stop(now sim.Time, j sim.JobID) {
	for i := range p.running {
		if p.running[i].job == j {
			p.settle(now, &p.running[i])
			p.running = append(p.running[:i], p.running[i+1:]...)
			break
		}
	}
	if p.cfg.mode != none {
		p.ends.Drop(j)
	}
}

// enqueue lets a job wait that has its place in the tree.
func (p *Policy) enqueue(v *sim.View, j sim.JobID) {
	p.jobs[j].at = int32(len(p.waiting))
	p.waiting = append(p.waiting, j)
	w := 0.0
	if p.cfg.mode == easy {
		w = float64(p.cfg.guess.Of(v, j))
	}
	p.queue.Add(v, j, p.key(v.Now(), v.Job(j).Submit(), &p.jobs[j]), w)
}

// leave takes a job off the waiting ones.
func (p *Policy) leave(j sim.JobID) {
	i, last := p.jobs[j].at, p.waiting[len(p.waiting)-1]
	p.waiting[i], p.jobs[last].at = last, i
	p.waiting = p.waiting[:len(p.waiting)-1]
	p.jobs[j].at = -1
}

// requeue gives all waiting jobs their priorities anew.
func (p *Policy) requeue(v *sim.View) {
	p.queue.Rekey(func(j sim.JobID) float64 { return p.key(p.tick, v.Job(j).Submit(), &p.jobs[j]) })
}

// wake asks for the end of the period while it may start something.
func (p *Policy) wake(v *sim.View, before int, out []sim.Decision) []sim.Decision {
	at := sim.Never
	alive := len(p.running) > 0 || v.Draining() > 0 || len(out) > before
	if alive && p.queue.Len() > 0 && (v.Free().Total() > 0 || p.queue.Sharing()) {
		at = (v.Now()/p.cfg.calc + 1) * p.cfg.calc
	}
	return p.period.Set(v.Now(), at, out)
}
