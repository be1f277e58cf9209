package agents

import (
	"errors"

	"tarry/agents/learn"
	"tarry/agents/mixture"
	"tarry/agents/registry"
	"tarry/env"
)

// mixtureConfig is mixture's settings as a Config.
type mixtureConfig = config[mixture.Config, *mixture.Policy, *mixture.Learner]

func configureMixture(s *env.Spec, seed uint64, given []registry.Setting) (registry.Config, error) {
	c := mixture.Default()
	if err := learn.Advise(s, "mixture", &c); err != nil {
		return nil, err
	}
	c.Seed = seed
	if err := errors.Join(registry.Put(&c, given), c.Validate()); err != nil {
		return nil, err
	}
	return mixtureConfig{algorithm[mixture.Config, *mixture.Policy, *mixture.Learner]{mixture.New, mixture.Resume,
		func(c *mixture.Config) (updates, steps, envs int) { return 0, c.TotalSteps, c.Sequences }}, c}, nil
}
