package a2c

import (
	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/policy"
)

// step is the graph of the loss for one rollout, and the inputs to fill.
type step struct {
	machine    *nn.Machine
	actor      *policy.Likelihood
	criticFeed func(row int, obs []float64, mask []bool)
	adv, ret   []float64
}

// What a step's machine lets be watched, in this order.
const (
	watchPolicy = iota
	watchValue
	watchEntropy
)

// newStep builds the graph: the policy's loss -mean(log pi(a) A), whose gradient is that of
// equation 1 of Mnih et al. with the advantage held constant, the mean squared error of the
// critic, and the entropy bonus (their section 4).
func newStep(p *policy.Policy, cfg *Config) (*step, error) {
	rows := cfg.Envs * cfg.Steps
	t := nn.NewTape(rows)
	s := &step{actor: p.Likelihood(t)}
	var adv, ret, out nn.Node
	adv, s.adv = t.Vector("advantage")
	ret, s.ret = t.Vector("return")
	out, s.criticFeed = p.Critic.Graph(t)
	mean := func(x nn.Node) nn.Node { return t.Scale(t.Sum(x), 1/float64(rows)) }
	policy := t.Neg(mean(t.Mul(s.actor.LogProb, adv)))
	value := mean(t.Square(t.Sub(t.Reshape(out, rows, 0), ret)))
	bonus := mean(s.actor.Entropy)
	t.Watch(policy)
	t.Watch(value)
	t.Watch(bonus)
	loss := t.Add(policy, t.Scale(value, cfg.ValueCoef))
	if cfg.EntropyCoef > 0 {
		loss = t.Add(loss, t.Scale(bonus, -cfg.EntropyCoef))
	}
	m, err := t.Compile(loss)
	s.machine = m
	return s, err
}

// fill copies the rollout into the graph's inputs.
func (s *step) fill(r *rollout, normAdv bool) {
	mean, std := 0.0, 1.0
	if normAdv {
		mean, std = learn.MeanStd(r.adv)
		std += 1e-8
	}
	for row := range r.rows() {
		s.actor.Fill(row, r.obsOf(row), r.maskOf(row), r.rawOf(row))
		s.criticFeed(row, r.obsOf(row), r.maskOf(row))
		s.adv[row], s.ret[row] = (r.adv[row]-mean)/std, r.ret[row]
	}
}
