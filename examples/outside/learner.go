package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"tarry/agents/learn"
	"tarry/agents/registry"
	"tarry/env"
)

const ars = "ars"

// arsConfig has the settings of a learner that needs no gradient: basic random search (Mania et
// al., arXiv 1803.07055) on a linear policy. It shows what tarry train needs of a learner: this
// file has the settings, searcher.go the algorithm, linear.go the policy.
type arsConfig struct {
	Seed       uint64  `json:"seed"`
	TotalSteps int     `json:"total_steps" about:"environment steps of the run" range:"[1,inf)"`
	Directions int     `json:"directions" about:"random directions per update, two episodes each" range:"[1,inf)"`
	Noise      float64 `json:"noise" about:"length of a step to either side" range:"(0,inf)"`
	Rate       float64 `json:"learning_rate" about:"step size of an update" range:"(0,inf)"`
}

func arsDefaults() arsConfig {
	return arsConfig{TotalSteps: 2000, Directions: 4, Noise: 0.5, Rate: 0.2}
}

// arsEntry is the learner in the catalogue.
func arsEntry() registry.Entry {
	return registry.Entry{Name: ars, Doc: "random search on a linear policy: discrete actions",
		Paper: "Mania et al., arXiv 1803.07055",
		Keys:  registry.Keys(arsDefaults()), Defaults: arsDefaults(), Load: loadARS,
		Configure: func(s *env.Spec, seed uint64, given []registry.Setting) (registry.Config, error) {
			c := arsDefaults()
			c.Seed = seed
			return c, errors.Join(learn.Advise(s, ars, &c), registry.Put(&c, given), c.Validate())
		}}
}

// Validate reports what is out of range.
func (c arsConfig) Validate() error {
	if c.TotalSteps < 1 || c.Directions < 1 || !(c.Noise > 0) || !(c.Rate > 0) {
		return fmt.Errorf("ars: total_steps %d, directions %d, noise %v, learning_rate %v, expected all above 0",
			c.TotalSteps, c.Directions, c.Noise, c.Rate)
	}
	return nil
}

func (c arsConfig) JSON() ([]byte, error) { return json.Marshal(c) }
func (c arsConfig) Updates() int          { return 0 } // that depends on how long episodes are
func (c arsConfig) Steps() int            { return c.TotalSteps }
func (c arsConfig) Envs() int             { return 1 }

// New starts a run.
func (c arsConfig) New(_ int, make func(i int) (env.Env, error)) (registry.Learner, error) {
	return newSearcher(c, make)
}

// Resume continues a saved one.
func (c arsConfig) Resume(_ int, make func(i int) (env.Env, error), saved []byte) (registry.Learner, error) {
	return learn.Resume(ars, c, saved, func() (*searcher, error) { return newSearcher(c, make) },
		(*searcher).checkpoint)
}
