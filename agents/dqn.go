package agents

import (
	"encoding/json"
	"errors"

	"tarry/agents/dqn"
	"tarry/agents/learn"
	"tarry/env"
)

// dqnConfig is dqn's settings as a Config.
type dqnConfig struct {
	dqn.Config
	demo dqn.Demo // what it starts from with demonstrations
}

func configureDQN(s *env.Spec, seed uint64, given []Setting) (Config, error) {
	c, demo := dqn.Default(), dqn.DefaultDemo()
	c.Demo = &demo
	from, err := startOf(s)
	if err = errors.Join(err, learn.Advise(s, "dqn", &c)); err != nil {
		return nil, err
	}
	if from.first() != "" {
		c.Candidates = &dqn.Candidates{Global: from.list.Global, Features: from.list.Features, Extra: from.list.Extra}
	}
	c.Seed = seed
	err = Put(&c, given)
	if !demonstrates(given) {
		c.Demo = nil
	}
	if err != nil {
		return nil, errors.Join(err, c.Validate())
	}
	return dqnConfig{c, demo}, c.Validate()
}

// Demonstrated implements Replayer.
func (c dqnConfig) Demonstrated() Config {
	if c.Demo == nil {
		c.Demo = &c.demo
	}
	return c
}

// Demonstrates implements Replayer.
func (c dqnConfig) Demonstrates() bool { return c.Demo != nil }

func (c dqnConfig) JSON() ([]byte, error) { return json.Marshal(c.Config) }
func (c dqnConfig) Updates() int          { return c.Config.Updates() }
func (c dqnConfig) Steps() int            { return c.Updates() * c.Config.Envs * c.Config.Steps }
func (c dqnConfig) Envs() int             { return c.Config.Envs }

func (c dqnConfig) New(workers int, make func(i int) (env.Env, error)) (Learner, error) {
	l, err := dqn.New(c.Config, workers, make)
	if err != nil {
		return nil, err
	}
	return dqnLearner{l}, nil
}

func (c dqnConfig) Resume(workers int, make func(i int) (env.Env, error), saved []byte) (Learner, error) {
	l, err := dqn.Resume(c.Config, workers, make, saved)
	if err != nil {
		return nil, err
	}
	return dqnLearner{l}, nil
}

type dqnLearner struct{ *dqn.Learner }

func (l dqnLearner) Policy() Policy { return dqnPolicy{l.Learner.Policy()} }

type dqnPolicy struct{ *dqn.Policy }

func (p dqnPolicy) Fork() Policy { return dqnPolicy{p.Policy.Fork()} }

func loadDQN(saved []byte, spec *env.Spec) (Policy, error) {
	p, err := dqn.LoadPolicy(saved, spec)
	if err != nil {
		return nil, err
	}
	return dqnPolicy{p}, nil
}

// dqnDefaults are the settings of a run with demonstrations, which has all that there are.
func dqnDefaults() dqn.Config {
	c, demo := dqn.Default(), dqn.DefaultDemo()
	c.Demo = &demo
	return c
}
