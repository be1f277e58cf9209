package ppo

import (
	"fmt"

	"tarry/env"
	"tarry/internal/nn"
)

// Demonstrator writes the action that a known policy takes in environment i to dst, given
// the observation, unscaled, and the mask (nil if there is none). Whoever made the
// environments may look into number i for more, but must not step it.
type Demonstrator func(i int, obs []float64, mask []bool, dst []float64) error

// Imitation says how long a warm start lasts.
type Imitation struct {
	// Episodes is how many episodes the demonstrator ends at least, Updates how many rollouts it
	// fills at most; 0 = no bound, but one of the two is needed. Each rollout is learned from in
	// Epochs passes, at least 1.
	Episodes int `json:"episodes"`
	Updates  int `json:"updates"`
	Epochs   int `json:"epochs"`
	// LearningRate is that of an Adam of its own.
	LearningRate float64 `json:"learning_rate"`
}

// Imitate is a warm start by behaviour cloning: the demonstrator acts in the training
// environments, the actor learns the likelihood of its actions and the critic its
// returns. It comes before the first update and is not part of TotalSteps. Steps are
// counted on; the learner can be saved when it has ended. A continuous policy then has the
// deviation that it started with again: that of a demonstrator would leave nothing to explore.
func (l *Learner) Imitate(cfg Imitation, demo Demonstrator, watch func(Row) error) error {
	if cfg.Updates < 0 || cfg.Episodes < 0 || cfg.Updates+cfg.Episodes < 1 || cfg.Epochs < 1 || !(cfg.LearningRate > 0) {
		return fmt.Errorf("ppo: imitation has %d episodes, %d updates, %d epochs, learning rate %g, expected at least 1 of the first two, 1 and more than 0",
			cfg.Episodes, cfg.Updates, cfg.Epochs, cfg.LearningRate)
	}
	if l.failed != "" {
		return fmt.Errorf("ppo: a former update failed: %s", l.failed)
	}
	if l.updates > 0 {
		return fmt.Errorf("ppo: imitation after %d updates, expected before the first", l.updates)
	}
	s, err := newStep(l.policy, &l.cfg, l.part(), true)
	if err != nil {
		return fmt.Errorf("ppo: imitation: %w", err)
	}
	defer s.machine.Close()
	adam := nn.NewAdam(l.policy.Params(), l.cfg.AdamEps)
	defer l.widen()
	for u, ended := 0, false; !ended; u++ {
		row, err := l.imitateOnce(s, adam, &cfg, demo)
		if err != nil {
			err = fmt.Errorf("ppo: imitation %d: %w", u+1, err)
			l.failed = err.Error()
			return err
		}
		row.Update = u + 1
		if err := watch(row); err != nil {
			return err
		}
		ended = row.Update == cfg.Updates || cfg.Episodes > 0 && row.Episodes >= cfg.Episodes
	}
	return nil
}

// widen sets the deviation of a continuous policy to that of the start.
func (l *Learner) widen() {
	if std := l.policy.LogStd; std != nil {
		for i := range std.W {
			std.W[i] = l.cfg.LogStd
		}
	}
}

// imitateOnce fills one rollout and learns from it.
func (l *Learner) imitateOnce(s *step, adam *nn.Adam, cfg *Imitation, demo Demonstrator) (Row, error) {
	p, action := l.policy, make([]float64, l.policy.Action)
	spec := l.vec.Spec()
	err := l.collect(func(i, row int) error {
		r := l.r
		if err := demo(i, l.batch.ObsOf(i), r.maskOf(row), action); err != nil {
			return fmt.Errorf("demonstrator: %w", err)
		}
		if err := env.CheckAction(spec, r.maskOf(row), action); err != nil {
			return fmt.Errorf("demonstrator: %w", err)
		}
		p.FromEnv(r.rawOf(row), action)
		r.logp[row] = p.LogProb(r.rawOf(row), r.obsOf(row), r.maskOf(row))
		return nil
	})
	if err != nil {
		return Row{}, err
	}
	l.r.finish(l.cfg.Lambda)
	row, err := l.learn(s, adam, cfg.Epochs, cfg.LearningRate, l.cfg.Clip)
	row.Imitation, row.Steps = true, l.steps
	l.tally.Tell(&row)
	return row, err
}
