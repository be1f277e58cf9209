package mixture

import (
	"fmt"
	"math/rand/v2"

	"tarry/agents/policy"
	"tarry/env"
	"tarry/sim/rng"
)

// Policy is a mixture. Acting draws, also without a stream: from one of its own then, which is at its
// beginning in each Fork.
type Policy struct {
	*policy.Policy
	seed  uint64
	draws *rng.Stream
}

// newPolicy is a mixture over a linear policy. It serves environments whose action is one choice.
func newPolicy(p *policy.Policy, s *env.Spec, seed uint64) (*Policy, error) {
	if p.Continuous() || len(p.Sizes) != 1 {
		return nil, fmt.Errorf("%s: action space %v, expected Discrete: an action names a member", s.ID, s.Action)
	}
	out := &Policy{Policy: p, seed: seed}
	out.restart()
	return out, nil
}

// restart begins the own stream anew.
func (p *Policy) restart() { p.Begin(0) }

// Begin has the policy draw from the own stream of an episode.
func (p *Policy) Begin(episode uint64) {
	p.draws = rng.Source{Seed: p.seed, Experiment: agent, Replicate: episode}.Stream("mixture")
}

// Act writes the member that is drawn; with r nil from the policy's own stream.
func (p *Policy) Act(dst, obs []float64, mask []bool, r *rand.Rand) error {
	if r == nil {
		r = p.draws.Rand
	}
	return p.Policy.Act(dst, obs, mask, r)
}

// Fork gives a policy over the same weights with its own room to compute in, and its stream at its
// beginning.
func (p *Policy) Fork() *Policy {
	f := &Policy{Policy: p.Policy.Fork(), seed: p.seed}
	f.restart()
	return f
}

// weights gives the weights of the observation (inputs x members) and the constants of the members.
func (p *Policy) weights() (w, b []float64) {
	all := p.Actor.Params()
	return all[0].W, all[1].W
}

// Probabilities are the members' for an observation; valid until the next call.
func (p *Policy) Probabilities(dst, obs []float64, mask []bool) {
	p.Actor.Forward(dst, obs, mask)
	for i := range dst {
		if p.Masked && !mask[i] {
			dst[i] = lowest
		}
	}
	softmax(dst)
}
