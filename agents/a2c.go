package agents

import (
	"encoding/json"
	"errors"
	"strings"

	"tarry/agents/a2c"
	"tarry/agents/policy"
	"tarry/env"
)

// a2cConfig is a2c's settings as a Config.
type a2cConfig struct{ a2c.Config }

func configureA2C(id string, seed uint64, given []Setting) (Config, error) {
	c, tuned := a2c.Tuned(id)
	if !tuned && strings.HasPrefix(id, "tarry/") {
		// As for ppo: rewards of unknown size, few and long steps, timers that are not at first thrown about.
		c.TotalSteps, c.Steps, c.Rollouts, c.Lambda = 200_000, 16, 8, 0.95
		c.Optimizer, c.LearningRate = "adam", 3e-4
		c.NormReward, c.NormAdvantage, c.LogStd = true, true, -1
		c.Encoder = startEncoder(id)
	}
	c.Seed = seed
	if err := Put(&c, given); err != nil {
		return nil, errors.Join(err, c.Validate())
	}
	fitList(id, c.Encoder, &c.Candidates)
	return a2cConfig{c}, c.Validate()
}

// startEncoder is the encoder to start from: one kernel where an action chooses from a list.
func startEncoder(id string) string {
	if encoder, _ := listOf(id); encoder == policy.ByCandidate {
		return encoder
	}
	return ""
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
