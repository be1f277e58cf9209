package agents

import (
	"encoding/json"
	"errors"

	"tarry/agents/learn"
	"tarry/agents/reinforce"
	"tarry/env"
)

// reinforceConfig is reinforce's settings as a Config.
type reinforceConfig struct{ reinforce.Config }

func configureREINFORCE(s *env.Spec, seed uint64, given []Setting) (Config, error) {
	c := reinforce.Default()
	from, err := startOf(s)
	if err = errors.Join(err, learn.Advise(s, "reinforce", &c)); err != nil {
		return nil, err
	}
	c.Encoder, c.Seed = from.first(), seed
	if err := Put(&c, given); err != nil {
		return nil, errors.Join(err, c.Validate())
	}
	from.fit(c.Encoder, &c.Candidates)
	return reinforceConfig{c}, c.Validate()
}

func (c reinforceConfig) JSON() ([]byte, error) { return json.Marshal(c.Config) }
func (c reinforceConfig) Updates() int          { return 0 }
func (c reinforceConfig) Steps() int            { return c.TotalSteps }
func (c reinforceConfig) Envs() int             { return c.Sequences }

func (c reinforceConfig) New(workers int, make func(i int) (env.Env, error)) (Learner, error) {
	l, err := reinforce.New(c.Config, workers, make)
	if err != nil {
		return nil, err
	}
	return reinforceLearner{l}, nil
}

func (c reinforceConfig) Resume(workers int, make func(i int) (env.Env, error), saved []byte) (Learner, error) {
	l, err := reinforce.Resume(c.Config, workers, make, saved)
	if err != nil {
		return nil, err
	}
	return reinforceLearner{l}, nil
}

type reinforceLearner struct{ *reinforce.Learner }

func (l reinforceLearner) Policy() Policy { return actorPolicy{l.Learner.Policy()} }

func loadREINFORCE(saved []byte, spec *env.Spec) (Policy, error) {
	p, err := reinforce.LoadPolicy(saved, spec)
	if err != nil {
		return nil, err
	}
	return actorPolicy{p}, nil
}
