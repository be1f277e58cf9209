package agents

import (
	"tarry/agents/a2c"
	"tarry/agents/policy"
	"tarry/agents/registry"
	"tarry/env"
)

// a2cConfig is a2c's settings as a Config.
type a2cConfig = config[a2c.Config, *policy.Policy, *a2c.Learner]

func configureA2C(s *env.Spec, seed uint64, given []registry.Setting) (registry.Config, error) {
	c := a2c.Default()
	f := listed{&c.Seed, &c.Encoder, &c.Candidates, &c.CriticOnly, c.Validate}
	if err := f.configure("a2c", &c, s, seed, given); err != nil {
		return nil, err
	}
	return a2cConfig{algorithm[a2c.Config, *policy.Policy, *a2c.Learner]{a2c.New, a2c.Resume, a2cSize}, c}, nil
}

func a2cSize(c *a2c.Config) (updates, steps, envs int) {
	return c.Updates(), c.Updates() * c.Envs * c.Steps * c.Rollouts, c.Envs
}
