package agents

import (
	"errors"
	"tarry/agents/registry"

	"tarry/agents/dqn"
	"tarry/agents/learn"
	"tarry/env"
)

// dqnConfig is dqn's settings as a Config.
type dqnConfig struct {
	config[dqn.Config, *dqn.Policy, *dqn.Learner]
	demo dqn.Demo // what it starts from with demonstrations
}

func configureDQN(s *env.Spec, seed uint64, given []registry.Setting) (registry.Config, error) {
	c, demo := dqn.Default(), dqn.DefaultDemo()
	c.Demo = &demo
	from, err := startOf(s)
	if err = errors.Join(err, learn.Advise(s, "dqn", &c)); err != nil {
		return nil, err
	}
	if from.first() != "" {
		c.Candidates = &dqn.Candidates{Global: from.list.Global, Features: from.list.Features, Extra: from.list.Extra,
			Choices: from.list.Choices, Present: from.list.Present}
	}
	c.Seed = seed
	err = registry.Put(&c, given)
	if !demonstrates(given) {
		c.Demo = nil
	}
	if err != nil {
		return nil, errors.Join(err, c.Validate())
	}
	is := algorithm[dqn.Config, *dqn.Policy, *dqn.Learner]{dqn.New, dqn.Resume, dqnSize}
	return dqnConfig{config[dqn.Config, *dqn.Policy, *dqn.Learner]{is, c}, demo}, c.Validate()
}

// Demonstrated implements Replayer.
func (c dqnConfig) Demonstrated() registry.Config {
	if c.settings.Demo == nil {
		c.settings.Demo = &c.demo
	}
	return c
}

// Demonstrates implements Replayer.
func (c dqnConfig) Demonstrates() bool { return c.settings.Demo != nil }

func dqnSize(c *dqn.Config) (updates, steps, envs int) {
	return c.Updates(), c.Updates() * c.Envs * c.Steps, c.Envs
}

// dqnDefaults are the settings of a run with demonstrations, which has all that there are.
func dqnDefaults() dqn.Config {
	c, demo := dqn.Default(), dqn.DefaultDemo()
	c.Demo = &demo
	return c
}
