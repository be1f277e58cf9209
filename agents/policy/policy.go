package policy

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"tarry/agents/nn"
	"tarry/env"
	"tarry/sim/rng"
)

// Policy is an actor, its critic and what scales their observations. It acts without
// allocating, and serves one goroutine; Fork gives one for another.
type Policy struct {
	Layout
	// Actor gives the logits, or the means of a Gaussian; Critic, nil if there is none, the value.
	Actor, Critic nn.Net
	// LogStd is the logarithm of the Gaussian's deviations, one row, which classes share; nil for
	// discrete actions.
	LogStd *nn.Param
	// Moments are the moments of the observations; nil if they are not scaled.
	Moments *env.Moments

	squash             bool
	ranking            *ranking // nil = actions are not orders
	x, out, raw, value []float64
	std                []float64
	xs, outs, parts    []float64 // of several observations
}

// obsLimit bounds scaled observations.
const obsLimit = 10

// New gives the networks their first weights: orthogonal with gain sqrt(2), 0.01 for the actor's
// last layer and 1 for the critic's.
func New(cfg Config, s *env.Spec, r *rand.Rand) (*Policy, error) {
	l, err := newLayout(s)
	if err != nil {
		return nil, err
	}
	p := &Policy{Layout: l, squash: cfg.Squash}
	if p.CriticOnly = cfg.CriticOnly; p.CriticOnly < 0 || p.CriticOnly >= p.Obs {
		return nil, fmt.Errorf("%s: %d of %d observation entries are for the critic alone, expected fewer", s.ID,
			p.CriticOnly, p.Obs)
	}
	if err := p.build(&cfg, s.ID, r); err != nil {
		return nil, err
	}
	if l.Continuous() && cfg.Encoder != ByRank {
		width := l.Action
		if cfg.Candidates != nil {
			width = cfg.Candidates.Each
		}
		// detail continuous 2: the deviation does not depend on the state
		p.LogStd = nn.NewParam("actor/log_std", 1, width)
		for i := range p.LogStd.W {
			p.LogStd.W[i] = cfg.LogStd
		}
	}
	if cfg.NormObs {
		p.Moments = env.NewMoments(l.Obs)
	}
	p.makeRoom()
	return p, nil
}

// build makes the networks.
func (p *Policy) build(cfg *Config, id string, r *rand.Rand) error {
	act := nn.ActivationOf(cfg.Activation, nn.Tanh)
	if cfg.Candidates != nil {
		shape, err := p.setShape(id, cfg.Candidates)
		if err != nil {
			return err
		}
		last := 0.01
		if shape.Marked = cfg.Encoder == ByRank; shape.Marked {
			if !p.Continuous() {
				return fmt.Errorf("%s: encoder is %q with choices as actions, expected a Box with a number for "+
					"each item", id, ByRank)
			}
			p.ranking = newRanking(cfg, shape)
			if cfg.Start != nil {
				last = 0 // exactly the start
			}
		}
		seen := shape
		if seen.Global -= p.CriticOnly; seen.Global < 0 {
			return fmt.Errorf("%s: %d entries are for the critic alone, expected at most the %d before the list", id,
				p.CriticOnly, shape.Global)
		}
		p.Actor = nn.NewSetNet("actor", seen, cfg.Hidden[0], false, last, r).Bend(act)
		if cfg.Critic {
			p.Critic = nn.NewSetNet("critic", shape, cfg.Hidden[0], true, 1, r).Bend(act)
		}
		return nil
	}
	// detail 13: separate networks of actor and critic; detail continuous 4: for continuous actions
	// too detail 2: orthogonal weights with gains sqrt(2), 0.01 (actor) and 1 (critic), biases 0
	sizes := append([]int{p.Obs - p.CriticOnly}, cfg.Hidden...)
	p.Actor = nn.NewMLP("actor", append(sizes[:len(sizes):len(sizes)], p.Logits()), act, 0.01, r)
	if cfg.Critic {
		sizes[0] = p.Obs
		p.Critic = nn.NewMLP("critic", append(sizes[:len(sizes):len(sizes)], 1), act, 1, r)
	}
	return nil
}

func (p *Policy) makeRoom() {
	p.x, p.out = make([]float64, p.Obs), make([]float64, p.Logits())
	p.xs, p.outs, p.parts = nil, nil, nil
	p.raw, p.value, p.std = make([]float64, p.Action), make([]float64, 1), make([]float64, p.Action)
	p.ranking = p.ranking.fork()
}

// LogStds gives the logarithm of the deviation of each number of the action; valid until the next
// call. Actions are continuous.
func (p *Policy) LogStds() []float64 {
	for i := range p.std {
		p.std[i] = p.LogStd.W[i%len(p.LogStd.W)]
	}
	return p.std
}

// Widen sets the deviations of a continuous policy to one logarithm: a demonstrator's deviation, which
// imitation learns, would leave nothing to explore.
func (p *Policy) Widen(logStd float64) {
	if p.LogStd == nil {
		return
	}
	for i := range p.LogStd.W {
		p.LogStd.W[i] = logStd
	}
}

// Fork gives a policy over the same weights with its own room to compute in.
func (p *Policy) Fork() *Policy {
	f := *p
	f.Actor = p.Actor.Fork()
	if p.Critic != nil {
		f.Critic = p.Critic.Fork()
	}
	f.makeRoom()
	return &f
}

// Params lists all weights, in a fixed order.
func (p *Policy) Params() []*nn.Param {
	all := p.Actor.Params()
	if p.Critic != nil {
		all = append(all, p.Critic.Params()...)
	}
	if p.LogStd != nil {
		all = append(all, p.LogStd)
	}
	return all
}

// Act writes the action for an observation to dst: a random one if r is a stream, the
// most likely one if r is nil. What is for the critic alone may be missing from the observation. The mask is the environment's, nil if it has none. It
// never changes the policy. Errors: lengths that do not fit, a mask that allows nothing.
func (p *Policy) Act(dst, obs []float64, mask []bool, r *rand.Rand) error {
	if len(obs) != p.Obs && len(obs) != p.Obs-p.CriticOnly || len(dst) != p.Action {
		return fmt.Errorf("%d observation and %d action entries, expected %d and %d", len(obs), len(dst), p.Obs,
			p.Action)
	}
	if err := errors.Join(p.CheckMask(mask), p.bound()); err != nil {
		return err
	}
	p.Choose(p.raw, p.Scaled(obs), mask, r)
	p.ToEnv(dst, p.raw)
	return nil
}

// Value is the critic's value of an observation, in units of the (scaled) reward. There must be
// a critic.
func (p *Policy) Value(obs []float64, mask []bool) float64 { return p.ValueOf(p.Scaled(obs), mask) }

// CheckMask asks for a legal choice in every component; an environment without a mask passes.
func (p *Policy) CheckMask(mask []bool) error {
	if !p.Masked {
		return nil
	}
	if len(mask) != p.MaskLen() {
		return fmt.Errorf("mask has %d entries, expected %d", len(mask), p.MaskLen())
	}
	for c, at := 0, 0; c < len(p.Sizes); c++ {
		any := false
		for _, ok := range mask[at : at+p.Sizes[c]] {
			any = any || ok
		}
		if !any {
			return fmt.Errorf("component %d of the action: %w", c, env.ErrNoLegalAction)
		}
		at += p.Sizes[c]
	}
	return nil
}

// Scaled is the observation as the networks see it; valid until the next call.
func (p *Policy) Scaled(obs []float64) []float64 {
	if p.Moments == nil {
		return obs
	}
	first := p.Obs - len(obs) // what is for the critic alone may be missing
	for i, v := range obs {
		p.x[first+i] = p.Moments.Scale(first+i, v, obsLimit) // detail continuous 7: scaled observations are clipped
	}
	return p.x[first:]
}

// actorPart is what the actor reads of a scaled observation.
func (p *Policy) actorPart(x []float64) []float64 { return x[len(x)-p.Obs+p.CriticOnly:] }

// actorParts is actorPart for observations that follow one another; valid until the next call.
func (p *Policy) actorParts(x []float64, rows int) []float64 {
	if p.CriticOnly == 0 {
		return x
	}
	p.parts = p.parts[:0]
	for i := range rows {
		p.parts = append(p.parts, x[i*p.Obs+p.CriticOnly:(i+1)*p.Obs]...)
	}
	return p.parts
}

// ValueOf is the critic's value of a scaled observation.
func (p *Policy) ValueOf(x []float64, mask []bool) float64 {
	p.Critic.Forward(p.value, x, p.use(mask))
	return p.value[0]
}

// ValuesOf are the critic's values of scaled observations that follow one another, as many as dst
// has numbers; so do their masks.
func (p *Policy) ValuesOf(dst, x []float64, mask []bool) {
	p.Critic.ForwardRows(dst, x, p.use(mask), len(dst))
}

// Values is Value for observations that follow one another.
func (p *Policy) Values(dst, obs []float64, mask []bool) {
	x := obs
	if p.Moments != nil {
		x = p.xs[:0]
		for at := 0; at < len(obs); at += p.Obs {
			x = append(x, p.Scaled(obs[at:at+p.Obs])...)
		}
		p.xs = x
	}
	p.ValuesOf(dst, x, mask)
}

// use drops the mask of an environment that has none.
func (p *Policy) use(mask []bool) []bool {
	if !p.Masked {
		return nil
	}
	return mask
}

// Choose draws a raw action (r nil: the most likely one) for a scaled observation and
// returns its log-probability. Raw means indices of choices, or the Gaussian's number
// before it is bounded.
func (p *Policy) Choose(raw, x []float64, mask []bool, r *rand.Rand) (logp float64) {
	if p.ranking != nil {
		return p.Rank(raw, x, p.ranking.drawn(r))
	}
	mask = p.use(mask)
	p.Actor.Forward(p.out, p.actorPart(x), mask)
	return p.drawn(raw, mask, r)
}

// ChooseRows is Choose for observations that follow one another, as many as logp has numbers:
// actions are drawn in their order.
func (p *Policy) ChooseRows(raw, x []float64, mask []bool, r *rand.Rand, logp []float64) {
	if p.ranking != nil {
		for i := range logp {
			logp[i] = p.Rank(raw[i*p.Action:(i+1)*p.Action], x[i*p.Obs:(i+1)*p.Obs], p.ranking.drawn(r))
		}
		return
	}
	mask = p.use(mask)
	n := len(p.out)
	if len(p.outs) < len(logp)*n {
		p.outs = make([]float64, len(logp)*n)
	}
	p.Actor.ForwardRows(p.outs[:len(logp)*n], p.actorParts(x, len(logp)), mask, len(logp))
	for i := range logp {
		var legal []bool
		if mask != nil {
			legal = mask[i*n : (i+1)*n]
		}
		copy(p.out, p.outs[i*n:])
		logp[i] = p.drawn(raw[i*p.Action:(i+1)*p.Action], legal, r)
	}
}

// drawn is Choose from what the actor gave, in p.out.
func (p *Policy) drawn(raw []float64, mask []bool, r *rand.Rand) (logp float64) {
	if p.Continuous() {
		std := p.LogStds()
		for i, m := range p.out {
			raw[i] = m
			if r != nil {
				raw[i] += float64(exp(std[i]) * rng.Normal(r))
			}
		}
		return p.gaussianLogProb(raw)
	}
	for c, at := 0, 0; c < len(p.Sizes); c++ {
		end := at + p.Sizes[c]
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

// LogProb is the log-probability of a raw action under the current weights.
func (p *Policy) LogProb(raw, x []float64, mask []bool) (logp float64) {
	if p.ranking != nil {
		p.scores(x)
		return p.rankLogProb(raw, x)
	}
	mask = p.use(mask)
	p.Actor.Forward(p.out, p.actorPart(x), mask)
	if p.Continuous() {
		return p.gaussianLogProb(raw)
	}
	for c, at := 0, 0; c < len(p.Sizes); c++ {
		end := at + p.Sizes[c]
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
	logp := nn.GaussianLogProb(raw, p.out, p.LogStds())
	if p.squash {
		logp -= nn.SquashCorrection(raw)
	}
	return logp
}

// Entropy returns the entropy of the distribution which Choose or LogProb last looked at; for
// orders the entropy of the choices along the last order, whose mean it is.
func (p *Policy) Entropy() (sum float64) {
	if p.ranking != nil {
		return p.ranking.entropy
	}
	if p.Continuous() {
		return nn.GaussianEntropy(p.LogStds())
	}
	for c, at := 0, 0; c < len(p.Sizes); c++ {
		sum += nn.Entropy(p.out[at : at+p.Sizes[c]])
		at += p.Sizes[c]
	}
	return sum
}
