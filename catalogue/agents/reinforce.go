package agents

import (
	"tarry/agents/policy"
	"tarry/agents/registry"
	"tarry/agents/reinforce"
	"tarry/env"
)

// reinforceConfig is reinforce's settings as a Config.
type reinforceConfig = config[reinforce.Config, *policy.Policy, *reinforce.Learner]

func configureREINFORCE(s *env.Spec, seed uint64, given []registry.Setting) (registry.Config, error) {
	c := reinforce.Default()
	f := listed{&c.Seed, &c.Encoder, &c.Candidates, &c.CriticOnly, c.Validate}
	if err := f.configure("reinforce", &c, s, seed, given); err != nil {
		return nil, err
	}
	return reinforceConfig{algorithm[reinforce.Config, *policy.Policy, *reinforce.Learner]{reinforce.New,
		reinforce.Resume, reinforceSize}, c}, nil
}

func reinforceSize(c *reinforce.Config) (updates, steps, envs int) {
	return 0, c.TotalSteps, c.Sequences
}
