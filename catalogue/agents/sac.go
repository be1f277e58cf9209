package agents

import (
	"errors"
	"tarry/agents/registry"

	"tarry/agents/learn"
	"tarry/agents/sac"
	"tarry/env"
)

// sacConfig is sac's settings as a Config.
type sacConfig struct {
	config[sac.Config, *sac.Policy, *sac.Learner]
	demo sac.Demo // what it starts from with demonstrations
}

func configureSAC(s *env.Spec, seed uint64, given []registry.Setting) (registry.Config, error) {
	c, demo := sac.Default(), sac.DefaultDemo()
	c.Demo = &demo
	if err := learn.Advise(s, "sac", &c); err != nil {
		return nil, err
	}
	c.Seed = seed
	err := registry.Put(&c, given)
	if !demonstrates(given) {
		c.Demo = nil
	}
	if err != nil {
		return nil, errors.Join(err, c.Validate())
	}
	is := algorithm[sac.Config, *sac.Policy, *sac.Learner]{sac.New, sac.Resume, sacSize}
	return sacConfig{config[sac.Config, *sac.Policy, *sac.Learner]{is, c}, demo}, c.Validate()
}

// Demonstrated implements Replayer.
func (c sacConfig) Demonstrated() registry.Config {
	if c.settings.Demo == nil {
		c.settings.Demo = &c.demo
	}
	return c
}

// Demonstrates implements Replayer.
func (c sacConfig) Demonstrates() bool { return c.settings.Demo != nil }

func sacSize(c *sac.Config) (updates, steps, envs int) {
	return c.Updates(), c.Updates() * c.Envs * c.Steps, c.Envs
}

// sacDefaults are the settings of a run with demonstrations, which has all that there are.
func sacDefaults() sac.Config {
	c, demo := sac.Default(), sac.DefaultDemo()
	c.Demo = &demo
	return c
}
