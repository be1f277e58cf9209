package ppo

import (
	"fmt"

	"tarry/agents/learn"
	"tarry/agents/nn"
)

// Demonstrator writes the action that a known policy takes in an environment.
type Demonstrator = learn.Demonstrator

// Imitation states how long a warm start lasts.
type Imitation = learn.Imitation

// Imitate is a warm start by behaviour cloning: the demonstrator acts in the training
// environments, the actor learns the likelihood of its actions and the critic its
// returns. It comes before the first update and is not part of TotalSteps. Steps are
// counted on; the learner can be saved when it has ended. A continuous policy then has the
// deviation that it started with again: a demonstrator's deviation would leave nothing to explore.
func (l *Learner) Imitate(cfg Imitation, demo Demonstrator, watch func(Row) error) error {
	m, err := newCloning(l.policy, &l.cfg, l.minibatchSize())
	if err != nil {
		return fmt.Errorf("ppo: imitation: %w", err)
	}
	defer m.machine.Close()
	adam := nn.NewAdam(l.policy.Params(), l.cfg.AdamEps)
	return l.run.Imitate(&cfg, watch, func(int) (Row, error) { return l.imitateOnce(m, adam, &cfg, demo) },
		func() { l.policy.Widen(l.cfg.LogStd) })
}

// newCloning builds the graph of the loss of imitation: minus the log-likelihood of the actions,
// and the squared error of values, which is not clipped.
func newCloning(p *Policy, cfg *Config, rows int) (*minibatch, error) {
	t := nn.NewTape(rows)
	m := newMinibatch(t, p, rows)
	policyLoss := t.Neg(m.mean(t, m.actor.LogProb))
	values, returns := m.critic(t, p)
	return m.overall(t, policyLoss, m.mean(t, t.Scale(t.Square(t.Sub(values, returns)), 0.5)), cfg)
}

// imitateOnce fills one rollout and learns from it.
func (l *Learner) imitateOnce(m *minibatch, adam *nn.Adam, cfg *Imitation, demo Demonstrator) (Row, error) {
	p, r := l.policy, l.r
	err := l.collect(func(t int) error {
		return l.envs.Demonstrate(demo, func(i int) {
			row := t*l.cfg.Envs + i
			p.FromEnv(r.RawOf(row), l.envs.ActionOf(i))
			r.logProbs[row] = p.LogProb(r.RawOf(row), r.ObsOf(row), r.MaskOf(row))
		})
	})
	if err != nil {
		return Row{}, err
	}
	l.estimate()
	row, err := l.optimize(m, adam, cfg.Epochs, cfg.LearningRate, l.cfg.Clip)
	row.Steps = l.run.Steps
	return row, err
}
