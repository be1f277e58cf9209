package philly

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one Philly scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cfg     config
	place   *plan.Placer
	jobs    []job
	vcs     []vc
	byName  map[string]int32
	kinds   []kind
	index   map[what]int32
	demands []demand
	byNeed  map[plan.Demand]int32
	holds   []try  // by job
	backs   []back // by (until, job)
	up      []int32
	faults  int32 // counts changes of up
	buf     scratch
	idle    idleness
	last    sim.Time // of the last decision
	tries   plan.Alarm
	counts  counts
}

type config struct {
	hold, backoff   sim.Time
	tries           int32
	from            level
	borrow, passing bool
	above           beyond
	preemptFrac     float64
	unlimited       bool // a VC without a stated quota has none
}

// beyond states what a job does that would take its VC above its quota and cannot have all its
// GPUs.
type beyond uint8

const (
	retry beyond = iota // a try that ends at once
	holds               // a try as within the quota
	waits               // nothing
)

// state is where a job is.
type state uint8

const (
	away    state = iota // not in the system, or preempted and not waiting yet
	ready                // in the queue of its VC
	trying               // holds some GPUs
	backing              // waits for its next try
	running
)

// job is what the policy keeps of one.
type job struct {
	kind  int32
	state state
	level level
	tries int32
	wait  span
	sum   delays
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), byName: map[string]int32{}, index: map[what]int32{},
		byNeed: map[plan.Demand]int32{}}
	c := &p.cfg
	c.hold = sim.Seconds(s.Float("hold_s", 150, 0, 1e9))
	c.backoff = sim.Seconds(s.Float("backoff_s", 120, 0, 1e9))
	if c.hold+c.backoff == 0 {
		s.Fault("hold_s and backoff_s are 0, expected one of them above")
	}
	c.tries = int32(s.Int("tries_per_level", 10, 1, 1e6))
	c.from = level(slices.Index(levelNames[:], s.Enum("from", levelNames[:]...)))
	names := []string{"retry", "hold", "wait"}
	if c.above = beyond(slices.Index(names, s.Enum("above", names...))); c.above == retry && c.backoff == 0 &&
		c.hold > 0 {
		s.FaultAt("backoff_s", "backoff_s is 0, expected above 0 where jobs above their quotas try and do not hold "+
			"(or above=hold or above=wait)")
	}
	c.borrow, c.passing = s.Bool("borrow", true), s.Bool("out_of_order", true)
	c.preemptFrac = s.Float("preempt_frac", 0.9, 0, math.Inf(1))
	c.unlimited = s.Enum("unstated", "equal", "none") == "none"
	return p, s.Err()
}

// Knows declares nothing: only what jobs ask for counts.
func (p *Policy) Knows() know.Set { return know.Nothing }

// Decide starts jobs within quotas, then those above.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.up == nil {
		p.initialise(v)
	}
	p.tick(v.Now())
	p.place.Begin(v)
	for _, ev := range v.Events() {
		p.follow(v, ev)
	}
	p.expire(v)
	p.keep(v)
	p.open()
	p.buf.full = false
	p.full(v, 0)
	out = p.within(v, out)
	out = p.above(v, out)
	p.note(v)
	return p.alarm(v, out)
}

func (p *Policy) initialise(v *sim.View) {
	t := v.Topology()
	p.up, p.buf.racks = make([]int32, t.Machines()), make([]int32, t.Racks())
	p.count(v)
}

// count takes in which GPUs have failed.
func (p *Policy) count(v *sim.View) {
	p.faults++
	for m := range p.up {
		p.up[m] = 0
		for g, hi := v.Topology().MachineGPUs(m); g < hi; g++ {
			if v.Up(g) {
				p.up[m]++
			}
		}
	}
}

// follow takes in an event.
func (p *Policy) follow(v *sim.View, ev sim.Event) {
	if ev.Kind == sim.Fail || ev.Kind == sim.Repair {
		p.count(v)
	}
	if ev.Job == sim.NoJob {
		return
	}
	switch ev.Kind {
	case sim.Finish:
		p.stop(ev.Job)
	case sim.Arrive, sim.Drained, sim.OutOfMemory, sim.Fail:
		p.stop(ev.Job)
		if v.Run(ev.Job).State() == sim.Waiting {
			p.enter(v, ev.Job)
		}
	}
}

// stop takes note that a job does not run any more.
func (p *Policy) stop(j sim.JobID) {
	if int(j) >= len(p.jobs) || p.jobs[j].state != running {
		return
	}
	x := &p.jobs[j]
	x.state = away
	k := &p.kinds[x.kind]
	p.vcs[k.vc].sub(j, k.milli)
}

// launch starts a job; counted states that its VC has it in what it uses already.
func (p *Policy) launch(v *sim.View, j sim.JobID, gpus []cluster.GPU, l level, counted bool,
	out []sim.Decision) []sim.Decision {
	x := &p.jobs[j]
	p.move(j, running, v.Now())
	if k := &p.kinds[x.kind]; !counted {
		p.vcs[k.vc].add(j, k.milli)
	}
	p.counts.starts[l]++
	return append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
}

// within serves the jobs within the quotas of their VCs: tries, then jobs in the queues.
func (p *Policy) within(v *sim.View, out []sim.Decision) []sim.Decision {
	for p.buf.moved = true; p.buf.moved; { // what was preempted may have brought tries within a quota
		out = p.advance(v, true, out)
		for c := p.next(true); c >= 0 && !p.buf.moved; c = p.next(true) {
			out = p.attempt(v, c, true, out)
		}
	}
	return out
}

// above serves the others, if there may be any.
func (p *Policy) above(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.advance(v, false, out)
	for p.cfg.borrow {
		c := p.next(false)
		if c < 0 {
			break
		}
		out = p.attempt(v, c, false, out)
	}
	return out
}

// attempt gives the first job of a VC GPUs, or some of them, or closes its kind for this decision.
func (p *Policy) attempt(v *sim.View, c int32, within bool, out []sim.Decision) []sim.Decision {
	j := p.vcs[c].best
	x := &p.jobs[j]
	d := &p.demands[p.kinds[x.kind].demand]
	defer p.rank(c)
	open := p.levelOf(v, x, d)
	if open > last {
		p.shut(j)
		return out
	}
	if gpus, l, ok := p.find(v, d, open); ok {
		p.take(j)
		return p.launch(v, j, p.book(v, d, gpus), l, false, out)
	}
	if within {
		more, ok := p.seize(v, j, d, open, out)
		if ok {
			return more
		}
	}
	if !within && p.cfg.above == waits || !p.hold(v, j, d, open, within) {
		p.shut(j)
	}
	return out
}

// alarm asks to be woken when the next try ends or begins.
func (p *Policy) alarm(v *sim.View, out []sim.Decision) []sim.Decision {
	next := sim.Never
	for i := range p.holds {
		next = min(next, p.holds[i].due)
	}
	if len(p.backs) > 0 {
		next = min(next, p.backs[0].until)
	}
	return p.tries.Set(v.Now(), next, out)
}
