package agents

import (
	"tarry/agents/pac"
	"tarry/agents/policy"
	"tarry/agents/registry"
	"tarry/env"
)

// pacConfig is pac's settings as a Config.
type pacConfig = config[pac.Config, *policy.Policy, *pac.Learner]

func configurePAC(s *env.Spec, seed uint64, given []registry.Setting) (registry.Config, error) {
	c := pac.Default()
	f := listed{&c.Seed, &c.Encoder, &c.Candidates, &c.CriticOnly, c.Validate}
	if err := f.configure("pac", &c, s, seed, given); err != nil {
		return nil, err
	}
	return pacConfig{algorithm[pac.Config, *policy.Policy, *pac.Learner]{pac.New, pac.Resume, pacSize}, c}, nil
}

func pacSize(c *pac.Config) (updates, steps, envs int) {
	return c.Updates(), c.Updates() * c.Envs * c.Steps, c.Envs
}
