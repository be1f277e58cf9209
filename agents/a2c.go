package agents

import (
	"encoding/json"
	"errors"

	"tarry/agents/a2c"
	"tarry/agents/learn"
	"tarry/agents/policy"
	"tarry/env"
)

// a2cConfig is a2c's settings as a Config.
type a2cConfig struct{ a2c.Config }

func configureA2C(s *env.Spec, seed uint64, given []Setting) (Config, error) {
	c := a2c.Default()
	from, err := startOf(s)
	if err = errors.Join(err, learn.Advise(s, "a2c", &c)); err != nil {
		return nil, err
	}
	c.Encoder, c.Seed = from.first(), seed
	if err := Put(&c, given); err != nil {
		return nil, errors.Join(err, c.Validate())
	}
	from.fit(c.Encoder, &c.Candidates)
	return a2cConfig{c}, c.Validate()
}

func (c a2cConfig) JSON() ([]byte, error) { return json.Marshal(c.Config) }
func (c a2cConfig) Updates() int          { return c.Config.Updates() }
func (c a2cConfig) Steps() int            { return c.Updates() * c.Config.Envs * c.Config.Steps * c.Rollouts }
func (c a2cConfig) Envs() int             { return c.Config.Envs }

func (c a2cConfig) New(workers int, make func(i int) (env.Env, error)) (Learner, error) {
	l, err := a2c.New(c.Config, workers, make)
	if err != nil {
		return nil, err
	}
	return a2cLearner{l}, nil
}

func (c a2cConfig) Resume(workers int, make func(i int) (env.Env, error), saved []byte) (Learner, error) {
	l, err := a2c.Resume(c.Config, workers, make, saved)
	if err != nil {
		return nil, err
	}
	return a2cLearner{l}, nil
}

type a2cLearner struct{ *a2c.Learner }

func (l a2cLearner) Policy() Policy { return actorPolicy{l.Learner.Policy()} }

// actorPolicy is the policy that the learners of the policy-gradient family share.
type actorPolicy struct{ *policy.Policy }

func (p actorPolicy) Fork() Policy { return actorPolicy{p.Policy.Fork()} }

func loadA2C(saved []byte, spec *env.Spec) (Policy, error) {
	p, err := a2c.LoadPolicy(saved, spec)
	if err != nil {
		return nil, err
	}
	return actorPolicy{p}, nil
}
