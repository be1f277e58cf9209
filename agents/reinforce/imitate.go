package reinforce

import (
	"fmt"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/env"
)

// Imitate is a warm start by behaviour cloning: the demonstrator plays each sequence of an update once,
// and the actor learns the likelihood of its actions. It comes before the first update and its
// steps are not counted; the learner can be saved when it has ended.
func (l *Learner) Imitate(cfg learn.Imitation, demo learn.Demonstrator, watch func(learn.Row) error) error {
	adam := nn.NewAdam(l.params, l.cfg.AdamEps)
	return l.run.Imitate(&cfg, watch, func(u int) (learn.Row, error) { return l.imitateOnce(u, adam, &cfg, demo) },
		func() { l.policy.Widen(l.cfg.LogStd) })
}

// imitateOnce has the demonstrator play one episode in each environment and learns from them: the loss
// with an advantage of 1 is minus the log-likelihood.
func (l *Learner) imitateOnce(u int, adam *nn.Adam, cfg *learn.Imitation, demo learn.Demonstrator) (learn.Row, error) {
	row := l.run.Blank(0, cfg.LearningRate)
	tracks := l.tracks[:l.cfg.Sequences]
	for s, k := range tracks {
		k.reset()
		seed := env.HashSeed(l.cfg.Seed, "demonstration", uint64(u), uint64(s))
		if err := k.play(l.envs[s], l.policy, seed, nil, l.cfg.Horizon, func(obs []float64, mask []bool,
			action []float64) error {
			return demo.Ask(l.spec, s, obs, mask, action)
		}); err != nil {
			return row, fmt.Errorf("environment %d: %w", s, err)
		}
		k.finish(l.cfg.Gamma)
		for i := range k.togo {
			k.togo[i], k.base[i] = 1, 0
		}
		if l.policy.Moments != nil {
			l.policy.Moments.Add(k.obs)
		}
		l.shown += k.rows()
		l.run.Tally.Add(k.sum(), float64(k.rows()))
	}
	for range cfg.Epochs {
		if err := l.descend(&row, tracks, 1, 0, adam); err != nil {
			return row, err
		}
	}
	row.Steps = l.shown
	return row, nil
}
