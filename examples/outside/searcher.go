package main

import (
	"errors"

	"tarry/agents/learn"
	"tarry/agents/registry"
	"tarry/env"
	"tarry/sim/rng"
)

// searcher is a training run between two updates.
type searcher struct {
	cfg    arsConfig
	run    learn.Run
	env    env.Env
	policy *linear
}

func newSearcher(c arsConfig, make func(i int) (env.Env, error)) (*searcher, error) {
	e, err := make(0)
	if err != nil {
		return nil, err
	}
	p, err := newLinear(e.Spec())
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return &searcher{cfg: c, run: learn.Run{Agent: ars}, env: e, policy: p}, nil
}

func (l *searcher) Done() bool              { return l.run.Steps >= l.cfg.TotalSteps }
func (l *searcher) Policy() registry.Policy { return l.policy }
func (l *searcher) Close() error            { return l.env.Close() }

// Update makes one update: to each side of the weights an episode from the same seed, and a step to
// the better side.
func (l *searcher) Update() (registry.Row, error) {
	return l.run.Do(func() (registry.Row, error) {
		row, weights := l.run.Blank(l.run.Updates+1, l.cfg.Rate), l.policy.weights
		step := make([]float64, len(weights))
		for k := range l.cfg.Directions {
			seed := env.HashSeed(l.cfg.Seed, "episode", uint64(l.run.Updates), uint64(k))
			draws, delta := rng.Source{Seed: seed, Experiment: ars}.Stream("direction"), make([]float64, len(weights))
			for i := range delta {
				delta[i] = draws.NormFloat64()
			}
			up, err := l.play(seed, delta, l.cfg.Noise)
			down, err2 := l.play(seed, delta, -l.cfg.Noise)
			if err := errors.Join(err, err2); err != nil {
				return row, err
			}
			for i := range step {
				step[i] += float64((up - down) * delta[i])
			}
		}
		for i := range step {
			weights[i] += float64(l.cfg.Rate / float64(l.cfg.Directions) * step[i])
		}
		return row, nil
	})
}

// play gives the mean reward of an episode with the weights moved along a direction.
func (l *searcher) play(seed uint64, delta []float64, by float64) (float64, error) {
	p, action := l.policy.Fork().(*linear), make([]float64, 1)
	p.weights = append([]float64(nil), p.weights...)
	for i := range p.weights {
		p.weights[i] += float64(by * delta[i])
	}
	obs, info, err := l.env.Reset(&seed, "")
	total, steps := 0.0, 0
	for done := false; err == nil && !done; steps++ {
		if err = p.Act(action, obs, info.Mask, nil); err != nil {
			break
		}
		var s env.Step
		s, err = l.env.Step(action)
		obs, info, done, total = s.Obs, s.Info, s.Done(), total+s.Reward
	}
	l.run.Steps += steps
	l.run.Tally.Add(total, float64(steps))
	return total / float64(max(1, steps)), err
}

// checkpoint is what a run needs to resume: episodes begin from seeds, so environments have no
// state between two updates.
func (l *searcher) checkpoint() learn.Checkpoint[arsConfig] {
	return learn.Checkpoint[arsConfig]{Run: &l.run, Config: l.cfg, Spec: l.env.Spec(),
		Sections: []learn.Section{l.run.Tally.Section(), l.policy.section()}}
}

func (l *searcher) Save() ([]byte, error) {
	c := l.checkpoint()
	return c.Save()
}
