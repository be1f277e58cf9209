package agents

import (
	"encoding/json"
	"errors"

	"tarry/agents/learn"
	"tarry/agents/sac"
	"tarry/env"
)

// sacConfig is sac's settings as a Config.
type sacConfig struct {
	sac.Config
	demo sac.Demo // what it starts from with demonstrations
}

func configureSAC(s *env.Spec, seed uint64, given []Setting) (Config, error) {
	c, demo := sac.Default(), sac.DefaultDemo()
	c.Demo = &demo
	if err := learn.Advise(s, "sac", &c); err != nil {
		return nil, err
	}
	c.Seed = seed
	err := Put(&c, given)
	if !demonstrates(given) {
		c.Demo = nil
	}
	if err != nil {
		return nil, errors.Join(err, c.Validate())
	}
	return sacConfig{c, demo}, c.Validate()
}

// Demonstrated implements Replayer.
func (c sacConfig) Demonstrated() Config {
	if c.Demo == nil {
		c.Demo = &c.demo
	}
	return c
}

// Demonstrates implements Replayer.
func (c sacConfig) Demonstrates() bool { return c.Demo != nil }

func (c sacConfig) JSON() ([]byte, error) { return json.Marshal(c.Config) }
func (c sacConfig) Updates() int          { return c.Config.Updates() }
func (c sacConfig) Steps() int            { return c.Updates() * c.Config.Envs * c.Config.Steps }
func (c sacConfig) Envs() int             { return c.Config.Envs }

func (c sacConfig) New(workers int, make func(i int) (env.Env, error)) (Learner, error) {
	l, err := sac.New(c.Config, workers, make)
	if err != nil {
		return nil, err
	}
	return sacLearner{l}, nil
}

func (c sacConfig) Resume(workers int, make func(i int) (env.Env, error), saved []byte) (Learner, error) {
	l, err := sac.Resume(c.Config, workers, make, saved)
	if err != nil {
		return nil, err
	}
	return sacLearner{l}, nil
}

type sacLearner struct{ *sac.Learner }

func (l sacLearner) Policy() Policy { return sacPolicy{l.Learner.Policy()} }

type sacPolicy struct{ *sac.Policy }

func (p sacPolicy) Fork() Policy { return sacPolicy{p.Policy.Fork()} }

func loadSAC(saved []byte, spec *env.Spec) (Policy, error) {
	p, err := sac.LoadPolicy(saved, spec)
	if err != nil {
		return nil, err
	}
	return sacPolicy{p}, nil
}

// sacDefaults are the settings of a run with demonstrations, which has all that there are.
func sacDefaults() sac.Config {
	c, demo := sac.Default(), sac.DefaultDemo()
	c.Demo = &demo
	return c
}
