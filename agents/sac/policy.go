package sac

import (
	"fmt"
	"math"
	"math/rand/v2"

	"tarry/agents/nn"
	"tarry/env"
	"tarry/sim/rng"
)

// Policy is an actor and the actions of an environment. It acts without allocating, and serves one
// goroutine; Fork gives one for another.
type Policy struct {
	obs        int       // numbers in an observation
	low, high  []float64 // bounds of the action's numbers
	actor      *nn.Squashed
	raw, noise []float64 // an action in [-1,1], and what it is drawn from
}

// newPolicy gives the actor its first weights: orthogonal with gain sqrt(2), and 0.01 for the last
// layer, so that the first actions are about the middle.
func newPolicy(cfg *Config, s *env.Spec, r *rand.Rand) (*Policy, error) {
	a, ok := s.Action.(env.Box)
	if !ok {
		return nil, fmt.Errorf("the actions of %s are %s, expected Box: another agent takes them (see tarry "+
			"list agents)", s.ID, env.Describe(s.Action))
	}
	if n := s.Layout.CriticOnly(); n > 0 {
		return nil, fmt.Errorf("%s: %d observation entries are for a critic alone, expected an agent with an actor "+
			"beside the critic, such as ppo", s.ID, n)
	}
	for i := range a.Low {
		if math.IsInf(a.Low[i], 0) || math.IsInf(a.High[i], 0) || a.Low[i] >= a.High[i] {
			return nil, fmt.Errorf("%s: action %d is bounded by [%g, %g], expected finite bounds, the first smaller",
				s.ID, i, a.Low[i], a.High[i])
		}
	}
	obs, n := s.Observation.Len(), len(a.Low)
	sizes := append(append([]int{obs}, cfg.Hidden...), 2*n)
	net := nn.NewMLP("actor", sizes, nn.ActivationOf(cfg.Activation, nn.Relu), 0.01, r)
	return &Policy{obs: obs, low: a.Low, high: a.High, actor: nn.NewSquashed(net),
		raw: make([]float64, n), noise: make([]float64, n)}, nil
}

// newCritic is a network of the value of an action, which follows the observation.
func newCritic(cfg *Config, name string, p *Policy, r *rand.Rand) *nn.MLP {
	sizes := append(append([]int{p.obs + len(p.raw)}, cfg.Hidden...), 1)
	return nn.NewMLP(name, sizes, nn.ActivationOf(cfg.Activation, nn.Relu), 1, r)
}

// Fork gives a policy over the same weights with its own room to compute in.
func (p *Policy) Fork() *Policy {
	f := *p
	f.actor, f.raw, f.noise = p.actor.Fork(), make([]float64, len(p.raw)), make([]float64, len(p.raw))
	return &f
}

// Act writes the action for an observation to dst: a random one if r is a stream, the middle of
// the Gaussian if r is nil. The mask is not looked at: Box actions have none. It never changes the
// policy. Errors: lengths that do not fit.
func (p *Policy) Act(dst, obs []float64, _ []bool, r *rand.Rand) error {
	if len(obs) != p.obs || len(dst) != len(p.raw) {
		return fmt.Errorf("sac: %d observation and %d action entries, expected %d and %d", len(obs), len(dst), p.obs,
			len(p.raw))
	}
	p.sample(p.raw, obs, r)
	p.toEnv(dst, p.raw)
	return nil
}

// sample draws an action in [-1,1] (r nil: without noise) and gives its log-density.
func (p *Policy) sample(raw, obs []float64, r *rand.Rand) float64 {
	if r == nil {
		return p.actor.Draw(raw, obs, nil)
	}
	draw(p.noise, r)
	return p.actor.Draw(raw, obs, p.noise)
}

// draw fills x with standard normal numbers.
func draw(x []float64, r *rand.Rand) {
	for i := range x {
		x[i] = rng.Normal(r)
	}
}

// toEnv stretches an action in [-1,1] over the Box.
func (p *Policy) toEnv(dst, raw []float64) {
	for i, v := range raw {
		half := float64((p.high[i] - p.low[i]) / 2)
		dst[i] = min(max(p.low[i]+half+float64(v*half), p.low[i]), p.high[i])
	}
}

// inside bounds a demonstrated action: tanh reaches 1 nowhere, and an actor that is drawn there
// would never be drawn back.
const inside = 0.999

// fromEnv is an action of the Box in [-1,1], bounded by inside.
func (p *Policy) fromEnv(raw, action []float64) {
	for i, v := range action {
		half := float64((p.high[i] - p.low[i]) / 2)
		raw[i] = min(max((v-p.low[i])/half-1, -inside), inside)
	}
}
