package agents

import (
	"encoding/json"
	"errors"
	"strings"

	"tarry/agents/policy"
	"tarry/agents/ppo"
	"tarry/env"
)

// ppoConfig is ppo's settings as a Config.
type ppoConfig struct{ ppo.Config }

func configurePPO(id string, seed uint64, given []Setting) (Config, error) {
	c, tuned := ppo.Tuned(id)
	if !tuned && strings.HasPrefix(id, "tarry/") {
		forClusters(&c, id)
	}
	c.Seed = seed
	if err := Put(&c, given); err != nil {
		return nil, errors.Join(err, c.Validate())
	}
	fitList(id, c.Encoder, &c.Candidates)
	return ppoConfig{c}, c.Validate()
}

// fitList sets the layout of a list by the encoder, where the environment says what it is.
func fitList(id, chosen string, to **policy.Candidates) {
	switch encoder, list := listOf(id); {
	case chosen == policy.MLP:
		*to = nil
	case chosen != "" && chosen == encoder && *to == nil:
		*to = list
	}
}

// listOf says what the observations of an environment over the simulator list, and for which encoder
// ("" = they list nothing). Before the list are 12 numbers on the cluster, with Preempt 11 more on
// the blocked job. A class of DelayTimer has two timers; its discrete twin chooses one of 21 pairs
// for the class that it is asked about.
func listOf(id string) (encoder string, list *ppo.Candidates) {
	switch id {
	case "tarry/Preempt-v0":
		return policy.ByCandidate, &ppo.Candidates{Global: 23, Features: 17, Extra: 1}
	case "tarry/DelayTimer-v0":
		return policy.ByClass, &ppo.Candidates{Global: 12, Features: 14, Each: 2}
	case "tarry/DelayTimerDiscrete-v0":
		return policy.ByClass, &ppo.Candidates{Global: 12, Features: 14, Each: 21}
	}
	return "", nil
}

// forClusters is where to start from on environments over the simulator: rewards of unknown size,
// few and long steps, and a policy that does not at first throw every timer about.
// Candidates are judged by one kernel, so that an agent serves lists of any length.
func forClusters(c *ppo.Config, id string) {
	c.TotalSteps, c.Envs, c.Steps = 200_000, 8, 128
	c.LearningRate, c.Epochs, c.Minibatches = 3e-4, 6, 8
	c.NormReward, c.EntropyCoef, c.LogStd = true, 0, -1
	if encoder, _ := listOf(id); encoder == policy.ByCandidate { // by class: README of agents/ppo, "Classes"
		c.Encoder = encoder
	}
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
