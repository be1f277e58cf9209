// Package networked has a network answer a scheduler's questions, in an agent's place.
package networked

import (
	"tarry/env"
	"tarry/env/schedenv"
	"tarry/sim"
)

// Network chooses: Act writes an action for an observation and the mask of legal choices, which is nil
// where actions are not masked. Fork gives a network of the same weights for another goroutine.
type Network[N any] interface {
	Act(action, obs []float64, mask []bool)
	Fork() N
}

// policy is a scheduler whose questions a network answers.
type policy[N Network[N]] struct {
	schedenv.Scheduler
	net         N
	obs, action []float64
	mask        []bool
}

// Policy makes the policy of a scheduler and a network that fits spec's spaces. The network answers
// from the first instant on. A policy and its clones share the network's weights alone, so that they
// may decide at once.
func Policy[N Network[N]](s schedenv.Scheduler, net N, spec env.Spec) sim.Policy {
	p := &policy[N]{Scheduler: s, net: net.Fork(), obs: make([]float64, spec.Observation.Len()),
		action: make([]float64, spec.Action.Len())}
	if spec.Masked {
		p.mask = make([]bool, env.MaskLen(spec.Action))
	}
	return p
}

// Decide answers every question of the instant.
func (p *policy[N]) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.Begin(v, out)
	for p.Ask(v) {
		p.Observe(v, p.obs, p.mask)
		p.net.Act(p.action, p.obs, p.mask)
		p.Answer(v, p.action)
	}
	return p.Finish(v, out)
}

// Clone gives an independent copy.
func (p *policy[N]) Clone() sim.Policy {
	c := &policy[N]{Scheduler: p.Scheduler.Clone(), net: p.net.Fork(), obs: make([]float64, len(p.obs)),
		action: make([]float64, len(p.action))}
	if p.mask != nil {
		c.mask = make([]bool, len(p.mask))
	}
	return c
}
