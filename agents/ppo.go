package agents

import (
	"encoding/json"
	"errors"

	"tarry/agents/learn"
	"tarry/agents/ppo"
	"tarry/env"
)

// ppoConfig is ppo's settings as a Config.
type ppoConfig struct{ ppo.Config }

func configurePPO(s *env.Spec, seed uint64, given []Setting) (Config, error) {
	c := ppo.Default()
	from, err := startOf(s)
	if err = errors.Join(err, learn.Advise(s, "ppo", &c)); err != nil {
		return nil, err
	}
	c.Encoder, c.Seed = from.first(), seed
	if err := Put(&c, given); err != nil {
		return nil, errors.Join(err, c.Validate())
	}
	from.fit(c.Encoder, &c.Candidates)
	return ppoConfig{c}, c.Validate()
}

func (c ppoConfig) JSON() ([]byte, error) { return json.Marshal(c.Config) }
func (c ppoConfig) Updates() int          { return c.Config.Updates() }
func (c ppoConfig) Steps() int            { return c.Updates() * c.Config.Envs * c.Config.Steps }
func (c ppoConfig) Envs() int             { return c.Config.Envs }

func (c ppoConfig) New(workers int, make func(i int) (env.Env, error)) (Learner, error) {
	l, err := ppo.New(c.Config, workers, make)
	if err != nil {
		return nil, err
	}
	return ppoLearner{l}, nil
}

func (c ppoConfig) Resume(workers int, make func(i int) (env.Env, error), saved []byte) (Learner, error) {
	l, err := ppo.Resume(c.Config, workers, make, saved)
	if err != nil {
		return nil, err
	}
	return ppoLearner{l}, nil
}

type ppoLearner struct{ *ppo.Learner }

func (l ppoLearner) Policy() Policy { return ppoPolicy{l.Learner.Policy()} }

type ppoPolicy struct{ *ppo.Policy }

func (p ppoPolicy) Fork() Policy { return ppoPolicy{p.Policy.Fork()} }

func loadPPO(saved []byte, spec *env.Spec) (Policy, error) {
	p, err := ppo.LoadPolicy(saved, spec)
	if err != nil {
		return nil, err
	}
	return ppoPolicy{p}, nil
}
