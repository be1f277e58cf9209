package agents

import (
	"encoding/json"
	"errors"
	"strings"

	"tarry/agents/dqn"
	"tarry/env"
)

// dqnConfig is dqn's settings as a Config.
type dqnConfig struct {
	dqn.Config
	demo dqn.Demo // what it starts from with demonstrations
}

func configureDQN(id string, seed uint64, given []Setting) (Config, error) {
	c, tuned := dqn.Tuned(id)
	if !tuned && strings.HasPrefix(id, "tarry/") {
		dqnForClusters(&c, id)
	}
	c.Seed = seed
	demo := dqn.DefaultDemo()
	if !tuned && strings.HasPrefix(id, "tarry/") {
		demo.Weight = 100 // a decision of many is worth little beside its noise: with 1 the values win over the margin
	}
	c.Demo = &demo
	err := Put(&c, given)
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

// dqnForClusters is where to start from on environments over the simulator: several windows side by
// side, rewards of unknown size, and values that look a few decisions ahead.
func dqnForClusters(c *dqn.Config, id string) {
	c.TotalSteps, c.Envs, c.Steps = 200_000, 8, 128
	c.Buffer, c.LearningStarts, c.TrainEvery, c.Batch, c.TargetEvery = 50_000, 5_000, 8, 64, 2_000
	c.LearningRate, c.NSteps, c.Hidden = 5e-4, 3, []int{64, 64}
	c.Duel, c.Huber, c.NormReward, c.MaxGradNorm = true, true, true, 10
	if id == "tarry/Preempt-v0" { // 12 numbers on the cluster, 11 on the blocked job; none, or a job of 17
		c.Candidates, c.Hidden = &dqn.Candidates{Global: 23, Features: 17, Extra: 1}, []int{32}
		c.Buffer = 20_000 // long observations, and all of them are in the checkpoint
	}
}

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
