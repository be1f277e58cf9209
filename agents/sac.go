package agents

import (
	"encoding/json"
	"errors"
	"strings"

	"tarry/agents/sac"
	"tarry/env"
)

// sacConfig is sac's settings as a Config.
type sacConfig struct{ sac.Config }

func configureSAC(id string, seed uint64, given []Setting) (Config, error) {
	c, tuned := sac.Tuned(id)
	if !tuned && strings.HasPrefix(id, "tarry/") {
		sacForClusters(&c)
	}
	c.Seed = seed
	demo := sac.DefaultDemo()
	c.Demo = &demo
	err := Put(&c, given)
	if !demonstrates(given) {
		c.Demo = nil
	}
	if err != nil {
		return nil, errors.Join(err, c.Validate())
	}
	return sacConfig{c}, c.Validate()
}

// Demonstrated implements Replayer.
func (c sacConfig) Demonstrated() Config {
	if c.Demo == nil {
		demo := sac.DefaultDemo()
		c.Demo = &demo
	}
	return c
}

// Demonstrates implements Replayer.
func (c sacConfig) Demonstrates() bool { return c.Demo != nil }

// sacForClusters is where to start from on environments over the simulator: several windows side by
// side, rewards of unknown size, and less noise than a uniform policy has.
func sacForClusters(c *sac.Config) {
	c.TotalSteps, c.Envs, c.Steps = 50_000, 4, 128
	c.Buffer, c.LearningStarts, c.TrainEvery, c.Batch = 50_000, 2_000, 4, 128
	c.NSteps, c.NormReward, c.Alpha, c.MaxGradNorm = 3, true, 0.1, 10
}

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
