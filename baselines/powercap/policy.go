package powercap

import (
	"math"
	"slices"

	"tarry/baselines/over"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Params describes the settings for the catalogue.
const Params = `host    the policy that decides who runs where, NAME or "NAME:key=value,..."
rule    whose clocks fall: price: at one price of power each job's cheapest | uniform: one clock for all | even: one limit of watts per
        GPU | newest, longest: jobs in this order of their starts | wait: no job's, starts wait
cost    with rule=price: what a slower job costs, by time lost x: jobs: 1 | gpus: its GPUs | left: its seconds left at full speed
fill    with rule=price: what the cap leaves raises clocks again
clocks  from lowest to 1, in equal steps
lowest  clock, relative to nominal
pass    a start that the cap has no room for holds no others back
late    what a clock costs more at which a job is expected to miss its deadline, in the same units, 0 = nothing`

// Policy keeps a cap over a host. Build it with New or NewLearned; it belongs to one run.
type Policy struct {
	settings
	host   over.Host
	learn  *learner // nil = watts and speeds are asked for
	wake   plan.Alarm
	owed   []sim.JobID // wait or save their state, though the host takes them for running
	events []sim.Event

	gen    int32
	slot   []int32 // job -> 1 + its place in jobs; 0 = none
	jobs   []job
	unused []int32
	runs   []run
	solver Solver
	opts   []Options
	at     []int32
	most   []int32
	order  []int32 // of runs, or jobs
	place  []int32 // by run: its place in opts
}

// settings are what a policy is set to.
type settings struct {
	rule, cost string
	clocks     []float64
	fill, pass bool
	late       float64
}

// New gives the maker of a policy that asks the run's models for watts and speeds. Parameters: Params.
//
//  1. The host decides.
//  2. Where the jobs that then run fit under the cap at full clocks, nothing else happens.
//  3. Starts for which the cap has no room at the lowest clocks wait; where the cap fell below what
//     runs, the newest jobs are preempted. The host gets these jobs as failed.
//  4. A rule lowers clocks until the cap holds.
func New(parse over.Parser) func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
		p := &Policy{host: parse.Read(s, rule, "host", "fifo", over.ClockKey),
			wake: plan.Alarm{Key: over.ClockKey}}
		p.rule = s.Enum("rule", "price", "uniform", "even", "newest", "longest", "wait")
		p.read(s, 16, 0)
		return p, s.Err()
	}
}

// read reads what all policies have.
func (p *settings) read(s *param.Set, clocks int, late float64) {
	p.cost = s.Enum("cost", "jobs", "gpus", "left")
	p.fill, p.pass = s.Bool("fill", true), s.Bool("pass", false)
	n, low := s.Int("clocks", clocks, 1, 64), s.Float("lowest", 0.5, 0.05, 1)
	for k := range n {
		c := 1.0
		if k < n-1 {
			c = low + float64((1-low)*float64(k))/float64(n-1)
		}
		p.clocks = append(p.clocks, c)
	}
	p.late = s.Float("late", late, 0, 1e9)
}

// Knows is what the host reads, speeds, and what costs need.
func (p *Policy) Knows() know.Set {
	more := know.Speed
	if p.learn != nil {
		more = 0
	}
	if p.cost == "left" {
		more |= know.Work
	}
	if p.late > 0 {
		more |= know.Estimate | know.Done
	}
	return p.host.Reads(more)
}

// Decide lets the host decide, then keeps the cap; without one it is the host.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	capW := v.Power().Cap(v.Now())
	if math.IsNaN(capW) {
		return p.host.Ask(v, out)
	}
	p.wake.Rung(v.Now())
	first := len(out)
	if events := p.tell(v, p.host.Events(v)); len(events) > 0 {
		out = p.host.AskOf(v, events, out)
		out = p.unheld(v, out, first)
	}
	p.observe(v)
	budget := capW - p.base(v, out[first:])
	p.collect(v, out[first:])
	p.admit(budget)
	p.choose(budget)
	out, changed, stopped := p.apply(out, first)
	p.release()
	return p.wake.Set(v.Now(), p.next(v, changed, stopped), out)
}

// next is when the policy looks again: a microsecond after preemptions, of which no event follows
// where nothing is saved, or when it measures.
func (p *Policy) next(v *sim.View, changed, stopped bool) sim.Time {
	switch {
	case stopped:
		return v.Now() + 1
	case p.learn != nil && (changed || p.unmeasured()):
		return min(p.wake.At(v.Now()), v.Now()+p.learn.period)
	}
	return p.wake.At(v.Now())
}

// base is what machines draw after decisions that is no job's: of machines that boot, what they draw
// once they are on.
func (p *Policy) base(v *sim.View, out []sim.Decision) float64 {
	w, t := v.Power(), v.Topology()
	sum := w.Watts()
	for _, j := range v.Running() {
		sum -= w.Draw(j)
	}
	rise := func(m int, from float64) {
		lo, hi := t.MachineGPUs(m)
		s := w.Spec(m)
		sum += max(0, max(s.BootW, s.OnW(int(hi-lo)))-from)
	}
	for m := 0; w.Off() > 0 && m < t.Machines(); m++ {
		if w.ReadyAt(m) < sim.Never {
			rise(m, w.Spec(m).BootW)
		}
	}
	for i := range out {
		if m := int(out[i].Machine); out[i].Kind == sim.PowerOn {
			rise(m, w.Spec(m).OffW)
		}
	}
	return sum
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.host = p.host.Copy()
	if p.learn != nil {
		c.learn = p.learn.clone()
	}
	c.owed, c.slot, c.unused = slices.Clone(p.owed), slices.Clone(p.slot), slices.Clone(p.unused)
	c.runs, c.jobs = slices.Clone(p.runs), slices.Clone(p.jobs)
	for i := range c.runs {
		c.runs[i].gpus = nil // of this instant
	}
	for i := range c.jobs {
		c.jobs[i].Options = Options{slices.Clone(p.jobs[i].Cost), slices.Clone(p.jobs[i].Watts)}
		c.jobs[i].slow = slices.Clone(p.jobs[i].slow)
	}
	c.events, c.solver, c.opts, c.at, c.most, c.order, c.place = nil, Solver{}, nil, nil, nil, nil, nil
	return &c
}
