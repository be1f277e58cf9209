package a2c

import (
	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/ppo"
)

// Imitate is a warm start by behaviour cloning: the demonstrator acts in the training environments, the
// actor learns the likelihood of its actions and the critic its returns. It comes before the first
// update and is not part of TotalSteps. Steps are counted on; the learner can be saved when it has
// ended.
func (l *Learner) Imitate(cfg learn.Imitation, demo learn.Demonstrator, watch func(learn.Row) error) error {
	adam := nn.NewAdam(l.params, l.cfg.OptimizerEps)
	return l.run.Imitate(&cfg, watch, func(int) (learn.Row, error) { return l.imitateOnce(adam, &cfg, demo) },
		func() { l.policy.Widen(l.cfg.LogStd) })
}

// imitateOnce has the demonstrator fill as many rollouts as an update has, and learns from each: the
// loss with an advantage of 1 is minus the log-likelihood.
func (l *Learner) imitateOnce(adam *nn.Adam, cfg *learn.Imitation, demo learn.Demonstrator) (learn.Row, error) {
	row := l.run.Blank(0, cfg.LearningRate)
	row.PolicyLoss, row.ValueLoss, row.Entropy, row.GradNorm = 0, 0, 0, 0
	for range l.cfg.Rollouts {
		if err := l.collect(func(t int) error {
			return l.envs.Demonstrate(demo, func(i int) {
				l.policy.FromEnv(l.r.RawOf(t*l.cfg.Envs+i), l.envs.ActionOf(i))
			})
		}); err != nil {
			return row, err
		}
		ppo.GAE(l.r, 1)
		for i := range l.r.Advantages {
			l.r.Advantages[i] = 1
		}
		l.update.fill(l.r, false)
		for range cfg.Epochs {
			if err := l.descend(&row, adam, cfg.LearningRate); err != nil {
				return row, err
			}
		}
	}
	learn.Means(&row, float64(l.cfg.Rollouts*cfg.Epochs))
	row.Steps = l.run.Steps
	return row, nil
}
