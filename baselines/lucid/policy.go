package lucid

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// where a job is, for the policy.
type where uint8

const (
	away      where = iota // it has not come, or has left
	queued                 // waits for the profiler
	profiling              // holds GPUs of the profiler, or writes the checkpoint after it
	waiting                // in the main queue
	running                // in the main pool
)

// member is what is kept of a job.
type member struct {
	key   float64 // predicted GPU-time, in work of one reference GPU
	mate  sim.JobID
	where where
	// draining states that the checkpoint after the profiler is being written.
	draining bool
	kind     int32 // of its scores, plus 1; 0 = not known yet
	class    int32
}

// Policy is Lucid.
type Policy struct {
	cfg    config
	place  *plan.Placer
	demand plan.Queue // only for demands
	jobs   []member
	line   []sim.JobID   // the main queue, in its order
	runs   [][]sim.JobID // running jobs of the main pool by number of GPUs, in the order in which they started
	held   int           // jobs that hold GPUs of the main pool
	turns  turns
	pool   pool
	load   load
	scores scores
	freed  []sim.JobID // jobs whose GPUs come free by a decision of this instant
	grown  []sim.JobID // jobs that have their GPUs alone again by a decision of this instant
	list   []int32     // machines, scratch
	late   sim.JobID   // a job that waits for all of the cluster; NoJob = none
	wakes  plan.Alarm
}

// New gives Lucid, Hu et al., ASPLOS 2023. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{cfg: settings(s), place: plan.NewPlacer(rule), late: sim.NoJob}
	return p, s.Err()
}

// Knows implements sim.Policy.
func (p *Policy) Knows() know.Set {
	k := know.Estimate
	if !p.cfg.usage {
		k |= know.Speed
	}
	switch p.cfg.profiler {
	case "ideal": // which jobs end inside is known in advance
		k |= know.Work | know.Profile
	case "off":
		k |= know.Profile
	}
	return k
}

// Decide implements sim.Policy.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.jobs == nil {
		p.init(v)
	}
	for len(p.jobs) < v.NumJobs() {
		p.jobs = append(p.jobs, member{mate: sim.NoJob})
	}
	p.load.pass(v.Now(), &p.cfg)
	p.freed, p.grown = p.freed[:0], p.grown[:0]
	out = p.follow(v, out)
	p.place.Begin(v)
	for _, j := range p.freed {
		p.place.Vacate(v, j, p.demand.Demand(j))
	}
	for _, j := range p.grown {
		p.place.Given(v, &plan.Demand{ShareMilli: 1000 - v.Run(j).Knobs().ShareMilli}, v.Run(j).Held())
	}
	p.scale(v)
	out = p.profile(v, out)
	return p.wake(v, p.serve(v, out))
}

func (p *Policy) init(v *sim.View) {
	p.jobs = make([]member, 0, v.NumJobs())
	p.pool.init(v, &p.cfg)
	p.load.at = v.Now() / p.cfg.step
}

// wake sets the timers by which something may change that no event states: a forecast, a machine
// more or less, an end in the profiler.
func (p *Policy) wake(v *sim.View, out []sim.Decision) []sim.Decision {
	at := sim.Never
	if len(p.pool.queue) > 0 {
		at = min(at, p.pool.nextEnd())
	}
	if p.held+p.pool.busy > 0 {
		next := (p.load.at + 1) * p.cfg.step
		turns := p.cfg.sharing == "forecast" && len(p.line) > 0 && p.load.next(&p.cfg) > p.cfg.few &&
			p.load.forecast(&p.cfg) <= p.cfg.few
		if turns || p.growing() || p.pool.extra > 0 && len(p.line) > 0 {
			at = min(at, next)
		}
	}
	return p.wakes.Set(v.Now(), at, out)
}
