package tiresias

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Program is how another program runs Tiresias: it decides over the policy's queues and places
// where that program does otherwise than the paper.
type Program interface {
	// Bind gives it the policy that it belongs to, before a run and after a copy.
	Bind(p *Policy)
	// Decide is as in sim.Policy.
	Decide(v *sim.View, out []sim.Decision) []sim.Decision
	// Watches reports whether demotions are events of their own.
	Watches() bool
	// Clone gives an independent copy, which is bound next.
	Clone() Program
}

// NewFor is Discretized 2D-LAS as a program runs it; promote is the default of that setting. The
// error joins every fault of the parameters.
func NewFor(s *param.Set, rule cluster.Rule, promote float64, program Program) (*Policy, error) {
	return build(s, rule, promote, false, program)
}

// Queues are the queues of the jobs.
func (p *Policy) Queues() *Queues { return &p.queues }

// Placer finds places by the rule of the run.
func (p *Policy) Placer() *plan.Placer { return p.place }

// Wake asks for a timer at an instant, sim.Never = none, in place of the one before.
func (p *Policy) Wake(v *sim.View, at sim.Time, out []sim.Decision) []sim.Decision {
	return p.wakes.Set(v.Now(), at, out)
}

// Watch asks for an event at the next demotion of a job, where demotions are events of their own.
func (p *Policy) Watch(j sim.JobID, out []sim.Decision) []sim.Decision {
	if p.program != nil && !p.program.Watches() {
		return out
	}
	return p.queues.watch(j, out)
}
