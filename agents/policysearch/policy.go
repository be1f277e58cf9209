package policysearch

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"tarry/agents/policy"
	"tarry/env"
	"tarry/env/trait"
)

// Policy is a vector that acts: an environment's parameters, or the weights of a network. It makes
// no random choice and serves one goroutine.
type Policy struct {
	net         *policy.Policy // nil = parameters
	vector      []float64
	answers     trait.Searchable // what the parameters mean; nil = not bound
	id          string
	obs, action int
}

// Vector gives the environment's parameters, nil for a network. The caller must not change it.
func (p *Policy) Vector() []float64 {
	if p.net != nil {
		return nil
	}
	return p.vector
}

// Bind takes from an environment what the parameters mean. A policy out of a checkpoint has to be
// bound before it acts; one that is a network needs no environment.
func (p *Policy) Bind(e env.Env) error {
	if p.net != nil {
		return nil
	}
	on, ok := env.Find[trait.Searchable](e)
	if !ok {
		return fmt.Errorf("%s has no parameters, expected %s", e.Spec().ID, p.id)
	}
	if n := len(on.Parameters()); n != len(p.vector) {
		return fmt.Errorf("%s has %d parameters, the policy has %d", e.Spec().ID, n, len(p.vector))
	}
	p.answers, p.obs, p.action = on, e.Spec().Observation.Len(), e.Spec().Action.Len()
	return nil
}

// Act writes the action for an observation to dst. The mask is the environment's, nil if it has
// none; the stream is not used.
func (p *Policy) Act(dst, obs []float64, mask []bool, _ *rand.Rand) error {
	switch {
	case p.net != nil:
		return p.net.Act(dst, obs, mask, nil)
	case len(obs) != p.obs || len(dst) != p.action:
		return fmt.Errorf("%d observation and %d action entries, expected %d and %d", len(obs), len(dst), p.obs,
			p.action)
	case p.answers == nil:
		return fmt.Errorf("parameters of %s act in no environment yet, expected Bind", p.id)
	}
	return p.answers.Answer(dst, obs, p.vector)
}

// Fork gives a policy over the same vector for another goroutine.
func (p *Policy) Fork() *Policy {
	f := *p
	if p.net != nil {
		f.net = p.net.Fork()
	}
	return &f
}

// frozen is a copy of some parameters, to act in environments of a spec once it is bound.
func frozen(vector []float64, s *env.Spec) *Policy {
	return &Policy{vector: slices.Clone(vector), id: s.ID, obs: s.Observation.Len(), action: s.Action.Len()}
}
