package contest

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// Policy is a scheduler whose jobs contest for what is free. Build it with New.
type Policy struct {
	Plan
	cfg    Config
	timers plan.TimerSource

	inited  bool
	simple  bool // no rule of a variant, of evictions or of keys that change: see renew.go
	lease   sim.Time
	capMach int      // GPUs in the largest machine
	classes []*Class // by demand and GPU type
	spare   []*Class // memory of classes, after CopyFrom
	of      []int32  // job -> class + 1, 0 = it has not contested
	pos     []int32  // job -> index in its class
	opening plan.Alarm
	expired []sim.JobID
	victims []sim.JobID // evicted at this instant: see steps.go
	evicts  evictions   // with Config.Evict: see evict.go
	running runners     // with Config.Evict and a Ranker: see runners.go
	behind  reservation // with Config.Backfill: see backfill.go
	hosted  hosted      // where jobs ask for CPU or memory: see hosts.go
	ranker  Ranker      // keys that change while a job waits; nil = Config.Order
}

// New is a contest with a Config and a source of timers.
func New(c Config, timers plan.TimerSource) *Policy {
	p := &Policy{cfg: c, timers: timers}
	p.evicts.leaseS = c.LeaseS
	p.evicts.minRun, p.evicts.every = Leases(c.MinRun, c.LeaseS), Leases(c.EvictEvery, c.LeaseS)
	p.evicts.within = Leases(c.WaitCheckpoint, c.LeaseS)
	if !c.Preempts() {
		p.cfg.LeaseS = math.Inf(1)
	}
	return p
}

// NewRanked is a contest by keys that change while jobs wait, in place of Config.Order; not with a
// Clock.
func NewRanked(c Config, timers plan.TimerSource, by Ranker) *Policy {
	p := New(c, timers)
	p.ranker = by
	return p
}

// Knows declares what the order reads, the predictions of a backfill rule, and what the rules of a
// variant read.
func (p *Policy) Knows() know.Set {
	k := p.cfg.Reads
	if p.ranker != nil {
		k |= p.ranker.Knows()
	} else {
		k |= p.cfg.Order.Reads
	}
	if p.cfg.Backfill == ByPrediction {
		k |= know.Estimate
	}
	return k
}

// Decide takes in what happened and lets the jobs without GPUs contest for what is free.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if j := p.alone(v); j != sim.NoJob {
		return p.renew(v, j, out)
	}
	out = p.Begin(v, out)
	if p.cfg.Clock != nil {
		out = p.cfg.Clock.Decide(p, v, out)
	} else {
		p.Play(v)
	}
	return p.Finish(v, out)
}

// Round puts up what has expired and holds a contest. It is for a Clock, which may hold several in
// an instant.
func (p *Policy) Round(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.reopen(v, out)
	p.Contest(v)
	out = p.emit(v, out)
	p.expired = p.expired[:0]
	p.emitted()
	return out
}

// PutUp puts up what has expired, for the next Round.
func (p *Policy) PutUp(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.reopen(v, out)
	p.expired = p.expired[:0]
	return out
}

// Hear takes in one event.
func (p *Policy) Hear(v *sim.View, ev sim.Event) {
	switch ev.Kind {
	case sim.Arrive, sim.Drained:
		p.enter(v, ev.Job)
	case sim.Finish:
		p.running.ends(ev.Job)
	case sim.OutOfMemory, sim.Fail:
		if ev.Job != sim.NoJob {
			p.running.ends(ev.Job)
			p.enter(v, ev.Job)
		}
	case sim.Expire:
		if v.Run(ev.Job).State() == sim.Running { // a fault at the same instant may have taken it
			p.expired = append(p.expired, ev.Job)
		}
	}
}

func (p *Policy) init(v *sim.View) {
	p.inited, p.simple = true, p.isSimple()
	p.lease = sim.Never
	if !math.IsInf(p.cfg.LeaseS, 1) {
		p.lease = sim.Seconds(p.cfg.LeaseS)
	}
	p.capMach = v.Topology().Capacity(cluster.LevelMachine)
	p.of = make([]int32, v.NumJobs())
	p.pos = make([]int32, v.NumJobs())
	if p.ranker != nil {
		p.ranker.Start(v)
	}
	if p.cfg.Backfill != NoBackfill {
		p.behind.guess = make([]sim.Time, v.NumJobs())
	}
	if p.cfg.Clock != nil {
		p.cfg.Clock.Start(v)
	}
}

// enter puts a job that holds no GPU (or whose lease has ended) among the contestants.
func (p *Policy) enter(v *sim.View, j sim.JobID) { p.enterSince(v, j, v.Now()) }

// enterSince is enter for a job that has waited since an instant, at which the last to enter its class
// did, or later.
func (p *Policy) enterSince(v *sim.View, j sim.JobID, since sim.Time) {
	i := p.classFor(v, j)
	p.of[j] = i + 1
	if p.cfg.Backfill != NoBackfill {
		p.guessAt(v, j)
	}
	p.classes[i].push(p.contestant(v, j, since))
}

// contestant is the entry of a job that contests from an instant on.
func (p *Policy) contestant(v *sim.View, j sim.JobID, since sim.Time) Entry {
	e := Entry{Job: j, Turn: int32(j), Since: since, Tie: since, until: sim.Never}
	if p.ranker == nil {
		e.Key = p.Order(v, j)
	} else {
		p.ranker.Enter(v, j)
		if e.Key, e.until = p.ranker.Rank(v, j); v.Run(j).State() == sim.Running {
			e.until = v.Now() + 1 // it will not run when it is looked at again
		}
	}
	if p.cfg.Clock != nil {
		e = p.cfg.Clock.Enter(e)
	}
	if p.cfg.TiesBySubmit {
		e.Tie = 0
	}
	return e
}

// classFor finds the class of a job, or makes it. What a job asks for changes by rules of a variant
// alone.
func (p *Policy) classFor(v *sim.View, j sim.JobID) int32 {
	if i := p.of[j]; i > 0 && p.cfg.Sizes == nil && p.cfg.Places == nil && p.cfg.Owners == nil {
		return i - 1
	}
	d := demand{GPUs: v.Job(j).GPUs(), Step: 1}
	d.Least, d.Per = d.GPUs, v.Job(j).PerGPU()
	if s := p.cfg.Sizes; s != nil {
		d.Least, d.Step = s.Least(v, j)
	}
	if p.cfg.Places != nil {
		d.Kind = p.cfg.Places.Kind(v, j)
	}
	if p.cfg.Owners != nil {
		d.clock, d.party = p.cfg.Owners.Of(v, j)
	}
	for i, c := range p.classes {
		if c.demand == d {
			return int32(i)
		}
	}
	c := p.newClass(firstSize)
	c.demand, c.pos = d, p.pos
	p.hosted.any = p.hosted.any || c.Asks()
	c.plain = !c.Asks() && v.Free().Of(d.Per.Type) == v.Free()
	c.usual = c.plain && c.Least == c.GPUs && p.cfg.Places == nil && p.cfg.Clock == nil
	c.Fits, _ = v.Topology().Finest(cluster.LevelSlot, d.GPUs, d.Per)
	c.Home = max(cluster.LevelMachine, c.Fits)
	c.Near, _ = v.Topology().Finest(cluster.LevelMachine, d.Least, d.Per)
	if p.ranker != nil {
		c.timed()
	}
	p.classes = append(p.classes, c)
	return int32(len(p.classes) - 1)
}

// Order is the key by which a job chooses: smaller chooses first.
func (p *Policy) Order(v *sim.View, j sim.JobID) float64 {
	if p.ranker != nil {
		key, _ := p.ranker.Rank(v, j)
		return key
	}
	if p.cfg.Clock != nil {
		if key, ok := p.cfg.Clock.Key(v, j); ok {
			return key
		}
	}
	return p.cfg.Order.Key(v, j)
}
