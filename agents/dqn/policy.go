package dqn

import (
	"fmt"
	"math/rand/v2"

	"tarry/agents/nn"
	"tarry/env"
)

// Policy is a network of action values and the actions of an environment. It acts without
// allocating, and serves one goroutine; Fork gives one for another.
type Policy struct {
	obs    int     // numbers in an observation
	start  float64 // what the first action is called
	masked bool
	random float64 // share of random actions where chance is asked for
	net    nn.Net
	q      []float64
}

// newPolicy gives the network its first weights: orthogonal with gain sqrt(2), and 1 for the last
// layer. name sets the network apart from others of the run.
func newPolicy(cfg *Config, name string, s *env.Spec, r *rand.Rand) (*Policy, error) {
	a, ok := s.Action.(env.Discrete)
	if !ok {
		return nil, fmt.Errorf("the actions of %s are %s, expected Discrete: another agent takes them (see tarry "+
			"list agents)", s.ID, env.Describe(s.Action))
	}
	if n := s.Layout.CriticOnly(); n > 0 {
		return nil, fmt.Errorf("%s: %d observation entries are for a critic alone, expected an agent with an actor "+
			"beside the critic, such as ppo", s.ID, n)
	}
	p := &Policy{obs: s.Observation.Len(), start: float64(a.Start), masked: s.Masked, random: cfg.EpsEnd,
		q: make([]float64, a.N)}
	var err error
	p.net, err = newNet(cfg, name, s.ID, p.obs, a.N, r)
	return p, err
}

// newNet is the network of action values: a perceptron or a kernel over candidates, one or, split
// into value and advantages, two.
func newNet(cfg *Config, name, id string, obs, actions int, r *rand.Rand) (nn.Net, error) {
	make := func(name string, value bool) nn.Net {
		out := actions
		if value {
			out = 1
		}
		return nn.NewMLP(name, append(append([]int{obs}, cfg.Hidden...), out), nn.ActivationOf(cfg.Activation,
			nn.Relu), 1, r)
	}
	if c := cfg.Candidates; c != nil {
		shape := c.shape((obs - c.Global) / c.Features)
		if shape.Slots < 1 || shape.In() != obs || shape.Choices() != actions {
			return nil, fmt.Errorf("%s: %d observation entries and %d actions do not fit %d global entries, "+
				"candidates of %d features and %d extra choices",
				id, obs, actions, c.Global, c.Features, c.Extra)
		}
		make = func(name string, value bool) nn.Net {
			return nn.NewSetNet(name, shape, cfg.Hidden[0], value, 1, r).Bend(nn.ActivationOf(cfg.Activation, nn.Tanh))
		}
	}
	if !cfg.Duel {
		return make(name, false), nil
	}
	return nn.NewDuel(name, make(name+"/value", true), make(name+"/advantage", false)), nil
}

// Fork gives a policy over the same weights with its own room to compute in.
func (p *Policy) Fork() *Policy {
	f := *p
	f.net, f.q = p.net.Fork(), make([]float64, len(p.q))
	return &f
}

// Act writes the action for an observation to dst: the action of the largest value if r is nil,
// else a random one with the share that training ends with. The mask is the environment's, nil if
// it has none. It never changes the policy. Errors: lengths that do not fit, a mask that allows
// nothing.
func (p *Policy) Act(dst, obs []float64, mask []bool, r *rand.Rand) error {
	if len(obs) != p.obs || len(dst) != 1 {
		return fmt.Errorf("dqn: %d observation and %d action entries, expected %d and 1", len(obs), len(dst), p.obs)
	}
	mask, err := p.legal(mask)
	if err != nil {
		return fmt.Errorf("dqn: %w", err)
	}
	dst[0] = p.start + float64(p.choose(obs, mask, p.random, r))
	return nil
}

// Value is the largest value of an action, in units of the (scaled) reward; 0 where the mask
// allows none.
func (p *Policy) Value(obs []float64, mask []bool) float64 {
	mask, err := p.legal(mask)
	if err != nil {
		return 0
	}
	return p.q[p.best(obs, mask)]
}

// legal is the mask as the network takes it: nil in an environment without one.
func (p *Policy) legal(mask []bool) ([]bool, error) {
	if !p.masked {
		return nil, nil
	}
	if len(mask) != len(p.q) {
		return nil, fmt.Errorf("mask has %d entries, expected %d", len(mask), len(p.q))
	}
	for _, ok := range mask {
		if ok {
			return mask, nil
		}
	}
	return nil, env.ErrNoLegalAction
}

// choose is the index of the best legal action, or with that probability of a random legal one;
// r nil: always the best.
func (p *Policy) choose(obs []float64, mask []bool, random float64, r *rand.Rand) int {
	if r == nil || r.Float64() >= random {
		return p.best(obs, mask)
	}
	if mask == nil {
		return r.IntN(len(p.q))
	}
	count := 0
	for _, ok := range mask {
		if ok {
			count++
		}
	}
	k := r.IntN(count)
	for i, ok := range mask {
		if ok {
			if k == 0 {
				return i
			}
			k--
		}
	}
	return 0
}

// best leaves all values in p.q and gives the index of the largest legal one, the first of equals.
func (p *Policy) best(obs []float64, mask []bool) int {
	p.net.Forward(p.q, obs, mask)
	return argmax(p.q, mask)
}

// argmax is the index of the largest legal number; a missing mask allows all.
func argmax(q []float64, mask []bool) int {
	best := -1
	for i, v := range q {
		if (mask == nil || mask[i]) && (best < 0 || v > q[best]) {
			best = i
		}
	}
	return max(best, 0)
}
