// Package tiresiassim is Tiresias as simulators run it that keep explicit lists of jobs: the policy
// tiresias-sim, over baselines/tiresias. By default it has the habits of the simulator of Tiresias'
// authors: a job that waits again stands behind the running jobs of its queue (the paper orders by
// first start), and a gang is demoted late, looked at (bound - t)/g after each event in whole seconds
// instead of at bound/g - t. Settings give it the habits of the simulators of Muri, Lucid and
// Pollux, whose runs it is compared with (fidelity/murisim/muriref, fidelity/lucidsim/lucidref,
// fidelity/polluxsim/polluxref).
//
// Beside tiresias, inside=pending-last with exact demotions shortens the mean completion time by 5 %
// on drawn jobs and by 11 % on Philly's, inside=joined by 5 and 8 %; inside=submitted changes it by
// less than 3 %.
//
// Reading guide: tiresiassim.go has the settings, lists.go decides.
package tiresiassim

import (
	"tarry/baselines/tiresias"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Params describes the settings for the catalogue.
const Params = tiresias.Params + `
inside        order inside a queue: started: first start, never started last | pending-last: order of joining, and
              after each decision waiting jobs behind running ones, as in the authors' simulator | submitted | joined: order
              of joining the queue
ties          jobs submitted together, with inside=submitted: arrival: by id | waiting-first: waiting jobs go first, so
              that such jobs take turns; they make no progress when a turn is shorter than what a preemption costs
demote        exact: when the service reaches the bound | late: at events, and (bound - t)/GPUs whole seconds after each,
              one queue at a time, as in the authors' simulator | whole: at events, and when the time of bound/GPUs is
              reached, rounded up to whole seconds, one queue at a time
service       with held promote is 0 unless stated, as pauses are service; run: GPUs x running time | held: GPUs x time of holding them, pauses included; not with demote=exact,
              unless every_s is set
every_s       decide at multiples of it only, s, 0.001 or more, 0 = at every event
interrupt     what a running job loses in each interval between two events except the interval that its end closes, s; each time it
              counts as preempted; for runs in which changes cost nothing
penalty       what a preemption adds to the time that the job has left, s; A/B = A for a job that one machine
              can hold, B for a larger one`

// config has the settings.
type config struct {
	inside string   // started, pending-last, submitted, joined
	turns  bool     // ties=waiting-first
	demote string   // exact, late, whole
	held   bool     // service=held
	every  sim.Time // decide at multiples of it; 0 = at every event
}

// Policy is Tiresias over lists. It belongs to one run.
type Policy struct {
	*tiresias.Policy
	lists *lists
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c, l := read(s), &lists{}
	l.cfg, l.roster.Penalty = c, plan.Penalty(s)
	if lost := sim.Seconds(s.Float("interrupt", 0, 0, 1e9)); lost > 0 {
		l.roster.Interrupt = func(*sim.View, sim.JobID) sim.Time { return lost }
	}
	promote := 8.0
	// with pauses as service a job can be due before it has done any work, and turns without work
	// never end
	if c.held {
		promote = 0
	}
	p, err := tiresias.NewFor(s, rule, promote, l)
	return &Policy{p, l}, err
}

func read(s *param.Set) config {
	c := config{every: sim.Seconds(s.Float("every_s", 0, 0, 1e9)),
		inside: s.Enum("inside", "pending-last", "started", "submitted", "joined"),
		turns:  s.Enum("ties", "arrival", "waiting-first") != "arrival",
		held:   s.Enum("service", "run", "held") == "held"}
	demotes := []string{"late", "whole", "exact"}
	if c.every > 0 {
		demotes = []string{"exact", "late", "whole"}
	}
	c.demote = s.Enum("demote", demotes...)
	if c.every > 0 && c.every < sim.Second/1000 {
		s.Fault("every_s is %v, expected 0 (at every event) or 0.001 s or more", c.every)
	}
	if c.held && c.every == 0 && c.demote == "exact" {
		s.Fault("service=held belongs to every_s > 0 or demote=late or whole, and every_s is 0")
	}
	if c.turns && c.inside != "submitted" {
		s.Fault("ties=waiting-first belongs to inside=submitted, and inside is %s", c.inside)
	}
	if c.every > 0 && c.demote != "exact" {
		s.Fault("demote=%s belongs to every_s=0: with every_s all is looked at every %v", c.demote, c.every)
	}
	return c
}

// Interrupt sets what a running job loses between two events, in place of the setting of that name.
func (p *Policy) Interrupt(lost func(*sim.View, sim.JobID) sim.Time) { p.lists.roster.Interrupt = lost }

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	of, l := p.Policy.CloneFor()
	return &Policy{of, l.(*lists)}
}
