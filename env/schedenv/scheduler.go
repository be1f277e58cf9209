package schedenv

import (
	"tarry/env"
	"tarry/sim"
	"tarry/sim/know"
)

// Scheduler is a policy that leaves a choice open. An instant goes Begin, then Ask, Answer, Ask,
// Answer ... until Ask gives false, then Finish. Env puts the agent outside of this loop, AsPolicy
// inside; both drive the same code, so that what is trained is what is measured.
type Scheduler interface {
	// Knows is as in sim.Policy.
	Knows() know.Set
	// Begin takes in what happened at an instant.
	Begin(v *sim.View, out []sim.Decision) []sim.Decision
	// Ask continues the instant up to the next question; false when there is none left.
	Ask(v *sim.View) bool
	// Observe writes the observation of the pending question and, if the actions are masked, which
	// of them are legal. It changes nothing that matters later.
	Observe(v *sim.View, obs []float64, mask []bool)
	// Answer continues with the agent's action, which is legal; nil stands for the rule of the base
	// policy, which also answers during warm-up.
	Answer(v *sim.View, action []float64)
	// Finish gives the decisions of the instant.
	Finish(v *sim.View, out []sim.Decision) []sim.Decision
	// Clone gives an independent copy, CopyFrom makes the receiver equal to another of its kind in
	// the memory that it has. Both are done between instants.
	Clone() Scheduler
	CopyFrom(Scheduler)
}

// sparse is a Scheduler that does not read all of an action.
type sparse interface {
	// Reads gives how many numbers Answer to the pending question reads at the beginning of an action
	// and how many at its end; the numbers between them have no effect.
	Reads() (head, tail int)
}

// Actor is a frozen agent: it writes an action for an observation. mask is nil where actions are
// not masked. It must not keep the slices.
type Actor func(obs []float64, mask []bool, action []float64)

// policy is a Scheduler whose questions an Actor answers.
type policy struct {
	Scheduler
	act    Actor
	warm   sim.Time
	obs    []float64
	mask   []bool
	action []float64
}

// AsPolicy makes a scheduler with a frozen agent inside a sim.Policy like any baseline. Before warm
// the base policy's rule answers, as it does before an episode of Env begins; 0 = the agent always
// does. spec has the spaces of observations and actions.
func AsPolicy(s Scheduler, act Actor, warm sim.Time, spec env.Spec) sim.Policy {
	return acting(s, act, warm, sizesOf(&spec))
}

func acting(s Scheduler, act Actor, warm sim.Time, sizes sizes) sim.Policy {
	p := &policy{Scheduler: s, act: act, warm: warm, mask: sizes.mask()}
	p.obs, p.action = sizes.slices()
	return p
}

// sizes are the lengths of what passes between a Scheduler and an agent; Mask is 0 where actions
// are not masked.
type sizes struct{ Obs, Mask, Action int }

func (s sizes) slices() (obs, action []float64) {
	return make([]float64, s.Obs), make([]float64, s.Action)
}

func (s sizes) mask() []bool {
	if s.Mask == 0 {
		return nil
	}
	return make([]bool, s.Mask)
}

// Decide answers every question of the instant.
func (p *policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.Begin(v, out)
	for p.Ask(v) {
		if v.Now() < p.warm {
			p.Answer(v, nil)
			continue
		}
		p.Observe(v, p.obs, p.mask)
		p.act(p.obs, p.mask, p.action)
		p.Answer(v, p.action)
	}
	return p.Finish(v, out)
}

// Clone copies the scheduler; the agent, which is frozen, is shared.
func (p *policy) Clone() sim.Policy {
	return acting(p.Scheduler.Clone(), p.act, p.warm, sizes{len(p.obs), len(p.mask), len(p.action)})
}
