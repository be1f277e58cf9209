package hours

import (
	"slices"

	"tarry/baselines/backfill"
	"tarry/baselines/hours/slots"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Params describes the settings of ce-dla-like for the catalogue.
const Params = `by        price: of energy | carbon: its intensity
slot_s    length of a slot in seconds
horizon_h hours that are planned
slack_h   hours by which a job without a deadline may be late
preempt   true: a job runs in the slots that cost least, with pauses
sleep     true: machines without jobs are switched off
states    states of the exact plan, 0 = none
passes    times that each job is planned again`

// Policy is ce-dla-like. Build it with New; it belongs to one run.
type Policy struct {
	market
	slot, slack    sim.Time
	slots          int
	preempt, sleep bool
	states, passes int

	queue  plan.Queue  // of jobs whose slot has come
	ready  []sim.JobID // the jobs that are or were in it
	place  *plan.Placer
	alarm  plan.Alarm
	held   []sim.JobID // waiting for a slot to come, ascending
	next   sim.Time    // the end of slot 0
	paused []sim.JobID // at this instant
	length int64       // of the day in microseconds

	day     slots.Day
	jobs    []sim.JobID // of the day
	of      []int32     // by job: 1 + its index in the day of index days
	days    []int32
	number  int32 // of the day
	planner slots.Planner
	solver  slots.Solver
	nodes   nodes
}

// New makes ce-dla-like; the package comment states its steps. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{market: readMarket(s), place: plan.NewPlacer(rule)}
	p.slot = sim.Seconds(s.Float("slot_s", 3600, 1, 1e6))
	horizon := hours(s, "horizon_h", 24, 1e-3, 1e4)
	p.slack = hours(s, "slack_h", 6, 0, 1e4)
	p.preempt, p.sleep = s.Bool("preempt", false), s.Bool("sleep", true)
	p.states, p.passes = s.Int("states", 5000, 0, 1e6), s.Int("passes", 1, 0, 100)
	p.slots = int((horizon + p.slot - 1) / p.slot)
	if p.slots > mostSlots {
		s.FaultAt("horizon_h", "horizon_h is %d slots of slot_s, expected at most %d", p.slots, mostSlots)
	}
	return p, s.Err()
}

// mostSlots bounds the work of a plan.
const mostSlots = 1000

// Knows implements sim.Policy.
func (p *Policy) Knows() know.Set { return know.Estimate | know.Series }

// Decide implements sim.Policy.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.alarm.Rung(v.Now())
	first := len(p.held)
	p.follow(v)
	running := len(v.Running()) > 0
	if v.Now() >= p.next && (len(p.held) > 0 || p.queue.Len() > 0 || running && p.plans(v)) {
		out = p.anew(v, out)
	} else {
		p.insert(v, first)
	}
	n := len(out)
	out = p.start(v, out)
	running = running || len(out) > n
	if p.sleeps(v) {
		out = p.nodes.decide(v, p, out)
	}
	at := sim.Never
	if len(p.held) > 0 || running && p.plans(v) {
		at = max(v.Now()+1, min(p.next, p.nodes.wake))
	}
	return p.alarm.Set(v.Now(), at, out)
}

// sleeps reports whether machines are switched off.
func (p *Policy) sleeps(v *sim.View) bool { return p.sleep && v.Power().Spec(0) != nil }

// plans reports whether what runs is planned.
func (p *Policy) plans(v *sim.View) bool { return p.preempt || p.sleeps(v) }

// follow notes the jobs that began to wait.
func (p *Policy) follow(v *sim.View) {
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive, sim.Drained, sim.OutOfMemory, sim.Fail:
			if j := ev.Job; j != sim.NoJob && v.Run(j).State() == sim.Waiting && !p.queue.Has(j) &&
				!slices.Contains(p.held, j) {
				p.held = append(p.held, j)
			}
		}
	}
}

// release puts a job that waits into the queue of jobs that may start.
func (p *Policy) release(v *sim.View, j sim.JobID) bool {
	if v.Run(j).State() != sim.Waiting {
		return false
	}
	p.queue.Add(v, j, float64(p.due(v, j)), 0)
	p.ready = append(p.ready, j)
	return true
}

// due is when a job should be done: its deadline, or its slack after its run time.
func (p *Policy) due(v *sim.View, j sim.JobID) sim.Time {
	if d := v.Job(j).Deadline(); d != sim.Never {
		return d
	}
	return min(sim.Never/2, v.Job(j).Submit()+backfill.Estimate(v, j)+p.slack)
}

// left is how long a job is expected to run on, at least a hundredth of what it has run.
func left(v *sim.View, j sim.JobID) sim.Time {
	ran := v.Run(j).Time()
	return max(1, ran/100, backfill.Estimate(v, j)-ran)
}

// Clone gives an independent copy between two decisions, to resume from a snapshot.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.queue, c.place = p.queue.Clone(), p.place.Clone()
	c.held, c.ready, c.jobs = slices.Clone(p.held), slices.Clone(p.ready), slices.Clone(p.jobs)
	c.paused = nil
	c.of, c.days = slices.Clone(p.of), slices.Clone(p.days)
	c.day.Slots, c.day.Jobs = slices.Clone(p.day.Slots), slices.Clone(p.day.Jobs)
	c.planner, c.solver = p.planner.Clone(&c.day), slots.Solver{}
	return &c
}
