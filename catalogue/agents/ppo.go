package agents

import (
	"tarry/agents/ppo"
	"tarry/agents/registry"
	"tarry/env"
)

// ppoConfig is ppo's settings as a Config.
type ppoConfig struct {
	config[ppo.Config, *ppo.Policy, *ppo.Learner]
}

func configurePPO(s *env.Spec, seed uint64, given []registry.Setting) (registry.Config, error) {
	c := ppo.Default()
	f := listed{&c.Seed, &c.Encoder, &c.Candidates, &c.CriticOnly, c.Validate}
	if err := f.configure("ppo", &c, s, seed, given); err != nil {
		return nil, err
	}
	return ppoConfig{config[ppo.Config, *ppo.Policy, *ppo.Learner]{
		algorithm[ppo.Config, *ppo.Policy, *ppo.Learner]{ppo.New, ppo.Resume, ppoSize}, c}}, nil
}

func ppoSize(c *ppo.Config) (updates, steps, envs int) {
	return c.Updates(), c.Updates() * c.Envs * c.Steps, c.Envs
}

// Extend implements Extender.
func (c ppoConfig) Extend(saved []byte) ([]byte, error) { return ppo.Extend(c.settings, saved) }
