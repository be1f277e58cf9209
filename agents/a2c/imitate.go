package a2c

import (
	"fmt"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/ppo"
)

// Imitate is a warm start by behaviour cloning: the demonstrator acts in the training environments, the
// actor learns the likelihood of its actions and the critic its returns. It comes before the first
// update and is not part of TotalSteps. Steps are counted on; the learner can be saved when it has
// ended.
func (l *Learner) Imitate(cfg learn.Imitation, demo learn.Demonstrator, watch func(learn.Row) error) error {
	if err := l.run.Startable(&cfg); err != nil {
		return err
	}
	adam := nn.NewAdam(l.params, l.cfg.OptimizerEps)
	defer l.policy.Widen(l.cfg.LogStd)
	for u, ended := 0, false; !ended; u++ {
		row, err := l.imitateOnce(adam, &cfg, demo)
		if err != nil {
			return l.run.Fail(fmt.Errorf("imitation %d: %w", u+1, err))
		}
		row.Update = u + 1
		if err := watch(row); err != nil {
			return err
		}
		ended = cfg.Enough(row.Update, row.Episodes)
	}
	return nil
}

// imitateOnce has the demonstrator fill as many rollouts as an update has, and learns from each: the
// loss with an advantage of 1 is minus the log-likelihood.
func (l *Learner) imitateOnce(adam *nn.Adam, cfg *learn.Imitation, demo learn.Demonstrator) (learn.Row, error) {
	row := l.run.Blank(0, cfg.LearningRate)
	row.PolicyLoss, row.ValueLoss, row.Entropy, row.GradNorm = 0, 0, 0, 0
	for range l.cfg.Rollouts {
		if err := l.collect(func(t int) error { return l.demonstrated(t, demo) }); err != nil {
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
	for _, mean := range []*float64{&row.PolicyLoss, &row.ValueLoss, &row.Entropy, &row.GradNorm} {
		*mean /= float64(l.cfg.Rollouts * cfg.Epochs)
	}
	row.Imitation, row.Steps = true, l.run.Steps
	l.run.Tally.Tell(&row)
	return row, nil
}

// demonstrated asks the demonstrator for the actions of step t.
func (l *Learner) demonstrated(t int, demo learn.Demonstrator) error {
	for i := range l.cfg.Envs {
		row, to := t*l.cfg.Envs+i, l.envs.ActionOf(i)
		if err := demo.Ask(l.envs.Spec(), i, l.envs.Batch.ObsOf(i), l.r.MaskOf(row), to); err != nil {
			return fmt.Errorf("environment %d: %w", i, err)
		}
		l.policy.FromEnv(l.r.RawOf(row), to)
	}
	return nil
}
