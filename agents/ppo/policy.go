package ppo

import (
	"fmt"
	"math/rand/v2"

	"tarry/env"
	"tarry/internal/nn"
)

// Policy is an actor, its critic and what scales their observations. It acts without
// allocating, and serves one goroutine; Fork gives one for another.
type Policy struct {
	layout
	actor, critic nn.Net
	logStd        *nn.Param // one row; nil for discrete actions
	squash        bool
	moments       *env.Moments // of the observations; nil without NormObs

	x, out, raw, value []float64
}

// obsLimit bounds scaled observations (detail 7 of the continuous list).
const obsLimit = 10

// newPolicy gives the networks their first weights. Separate networks for actor and
// critic (detail 13 of the core list), orthogonal weights with gain sqrt(2), 0.01 for the
// actor's last layer and 1 for the critic's (detail 2).
func newPolicy(cfg *Config, s *env.Spec, r *rand.Rand) (*Policy, error) {
	l, err := newLayout(s)
	if err != nil {
		return nil, err
	}
	p := &Policy{layout: l, squash: cfg.Squash}
	if cfg.Candidates != nil {
		shape, err := l.setShape(s.ID, cfg.Candidates)
		if err != nil {
			return nil, err
		}
		p.actor = nn.NewSetNet("actor", shape, cfg.Hidden[0], false, 0.01, r)
		p.critic = nn.NewSetNet("critic", shape, cfg.Hidden[0], true, 1, r)
	} else {
		sizes := append([]int{l.obs}, cfg.Hidden...)
		p.actor = nn.NewMLP("actor", append(sizes[:len(sizes):len(sizes)], l.logits()), nn.Tanh, 0.01, r)
		p.critic = nn.NewMLP("critic", append(sizes[:len(sizes):len(sizes)], 1), nn.Tanh, 1, r)
	}
	if l.continuous() {
		p.logStd = nn.NewParam("actor/log_std", 1, l.action)
		for i := range p.logStd.W {
			p.logStd.W[i] = cfg.LogStd
		}
	}
	if cfg.NormObs {
		p.moments = env.NewMoments(l.obs)
	}
	p.makeRoom()
	return p, nil
}

func (p *Policy) makeRoom() {
	p.x, p.out = make([]float64, p.obs), make([]float64, p.logits())
	p.raw, p.value = make([]float64, p.action), make([]float64, 1)
}

// Fork gives a policy over the same weights with its own room to compute in.
func (p *Policy) Fork() *Policy {
	f := *p
	f.actor, f.critic = p.actor.Fork(), p.critic.Fork()
	f.makeRoom()
	return &f
}

// params lists all weights.
func (p *Policy) params() []*nn.Param {
	all := append(p.actor.Params(), p.critic.Params()...)
	if p.logStd != nil {
		all = append(all, p.logStd)
	}
	return all
}

// Act writes the action for an observation to dst: a random one if r is a stream, the
// most likely one if r is nil. The mask is the environment's, nil if it has none. It
// never changes the policy. Errors: lengths that do not fit, a mask that allows nothing.
func (p *Policy) Act(dst, obs []float64, mask []bool, r *rand.Rand) error {
	if len(obs) != p.obs || len(dst) != p.action {
		return fmt.Errorf("ppo: %d observation and %d action entries, expected %d and %d", len(obs), len(dst), p.obs, p.action)
	}
	if err := p.checkMask(mask); err != nil {
		return err
	}
	p.choose(p.raw, p.scaled(obs), mask, r)
	p.toEnv(dst, p.raw)
	return nil
}

// Value is the critic's value of an observation, in units of the (scaled) reward.
func (p *Policy) Value(obs []float64, mask []bool) float64 { return p.valueOf(p.scaled(obs), mask) }

// checkMask asks for a legal choice in every component.
func (p *Policy) checkMask(mask []bool) error {
	if !p.masked {
		return nil
	}
	if len(mask) != p.maskLen() {
		return fmt.Errorf("ppo: mask has %d entries, expected %d", len(mask), p.maskLen())
	}
	for c, at := 0, 0; c < len(p.sizes); c++ {
		any := false
		for _, ok := range mask[at : at+p.sizes[c]] {
			any = any || ok
		}
		if !any {
			return fmt.Errorf("ppo: component %d of the action: %w", c, env.ErrNoLegalAction)
		}
		at += p.sizes[c]
	}
	return nil
}

// scaled is the observation as the networks see it; valid until the next call.
func (p *Policy) scaled(obs []float64) []float64 {
	if p.moments == nil {
		return obs
	}
	for i, v := range obs {
		p.x[i] = p.moments.Scale(i, v, obsLimit)
	}
	return p.x
}

// valueOf judges a scaled observation.
func (p *Policy) valueOf(x []float64, mask []bool) float64 {
	p.critic.Forward(p.value, x, p.use(mask))
	return p.value[0]
}

// use drops the mask of an environment that has none.
func (p *Policy) use(mask []bool) []bool {
	if !p.masked {
		return nil
	}
	return mask
}

// choose draws a raw action (r nil: the most likely one) for a scaled observation and
// returns its log-probability. Raw means indices of choices, or the Gaussian's number
// before it is bounded.
func (p *Policy) choose(raw, x []float64, mask []bool, r *rand.Rand) (logp float64) {
	mask = p.use(mask)
	p.actor.Forward(p.out, x, mask)
	if p.continuous() {
		for i, m := range p.out {
			raw[i] = m
			if r != nil {
				raw[i] += float64(exp(p.logStd.W[i]) * r.NormFloat64())
			}
		}
		return p.gaussianLogProb(raw)
	}
	for c, at := 0, 0; c < len(p.sizes); c++ {
		end := at + p.sizes[c]
		var legal []bool
		if mask != nil {
			legal = mask[at:end]
		}
		l := p.out[at:end]
		nn.LogSoftmax(l, legal)
		i := 0
		if r != nil {
			i = nn.SampleCategorical(l, r.Float64())
		} else {
			i = nn.Argmax(l)
		}
		raw[c] = float64(i)
		logp += l[i]
		at = end
	}
	return logp
}

// logProb is the log-probability of a raw action under the current weights.
func (p *Policy) logProb(raw, x []float64, mask []bool) (logp float64) {
	mask = p.use(mask)
	p.actor.Forward(p.out, x, mask)
	if p.continuous() {
		return p.gaussianLogProb(raw)
	}
	for c, at := 0, 0; c < len(p.sizes); c++ {
		end := at + p.sizes[c]
		var legal []bool
		if mask != nil {
			legal = mask[at:end]
		}
		nn.LogSoftmax(p.out[at:end], legal)
		logp += p.out[at+int(raw[c])]
		at = end
	}
	return logp
}

// gaussianLogProb is the log-density of a raw action around the mean in p.out.
func (p *Policy) gaussianLogProb(raw []float64) float64 {
	logp := nn.GaussianLogProb(raw, p.out, p.logStd.W)
	if p.squash {
		logp -= nn.SquashCorrection(raw)
	}
	return logp
}
