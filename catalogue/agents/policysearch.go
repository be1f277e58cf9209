package agents

import (
	"tarry/agents/policysearch"
	"tarry/agents/registry"
	"tarry/env"
)

// searcher is the entry of one strategy of policy search.
func searcher(k policysearch.Kind, doc, paper string) registry.Entry {
	return registry.Entry{Name: k.Name(), Doc: doc, Paper: paper, Keys: registry.Keys(policysearch.Default()),
		Defaults: policysearch.Default(),
		Configure: func(s *env.Spec, seed uint64, given []registry.Setting) (registry.Config, error) {
			return configureSearch(k, s, seed, given)
		},
		Load: loads(k.LoadPolicy)}
}

func configureSearch(k policysearch.Kind, s *env.Spec, seed uint64, given []registry.Setting) (registry.Config, error) {
	c := policysearch.Default()
	f := listed{&c.Seed, &c.Encoder, &c.Candidates, &c.CriticOnly, func() error { return k.Validate(&c) }}
	if err := f.configure(k.Name(), &c, s, seed, given); err != nil {
		return nil, err
	}
	return config[policysearch.Config, *policysearch.Policy, *policysearch.Learner]{
			algorithm[policysearch.Config, *policysearch.Policy, *policysearch.Learner]{k.New, k.Resume, searchSize},
			c},
		nil
}

// searchSize counts windows as steps.
func searchSize(c *policysearch.Config) (updates, steps, envs int) {
	return c.Generations, c.Generations * c.Population * c.Windows, c.Windows
}
