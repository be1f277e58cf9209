// Package agenttest is what the tests of all agents share: a suite that every learner passes, the
// classic environments under their time limits, and what a policy earns there.
//
// Reading guide. Suite (suite.go) states how to make a learner, and its Test makes all checks:
// checks of a run that is resumed or trained beside others (resume.go), of its policy (frozen.go),
// of checkpoints that are refused (checkpoint.go), and of environments in which something is wrong
// (faults.go, by the layers of tamper.go). Answers (probe.go) compares a trained policy with the
// known answers of a probe, Imitates (imitate.go) a warm start with its demonstrator. Validate
// (validate.go) trains for as long as published results did.
package agenttest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/agents/learn"
	"tarry/env"
	"tarry/env/classic"
	"tarry/env/probe"
	"tarry/env/wrap"
)

// Classic makes a classic environment by id as the catalogue of environments does, with its time
// limit.
func Classic(id string) func(int) (env.Env, error) {
	return func(int) (env.Env, error) {
		switch id {
		case "classic/CartPole-v1":
			return wrap.TimeLimit(classic.CartPole(), 500)
		case "classic/Acrobot-v1":
			return wrap.TimeLimit(classic.Acrobot(), 500)
		case "classic/MountainCar-v0":
			return wrap.TimeLimit(classic.MountainCar(), 200)
		case "classic/Pendulum-v1":
			return wrap.TimeLimit(classic.Pendulum(), 200)
		}
		return nil, fmt.Errorf("no environment %q", id)
	}
}

// Advise puts what a classic environment advises a learner over its settings, which to points to.
// No advice is an error.
func Advise(t testing.TB, id, learner string, to any) {
	t.Helper()
	e, err := Classic(id)(0)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := e.Spec().Advice[learner]; !ok {
		t.Errorf("%s advises %s nothing", id, learner)
	}
	if err := learn.Advise(e.Spec(), learner, to); err != nil {
		t.Error(err)
	}
}

// Probe makes a small problem of env/probe by id.
func Probe(id string) func(int) (env.Env, error) {
	return func(int) (env.Env, error) {
		for _, p := range probe.All() {
			if p.ID == id {
				return p.New(), nil
			}
		}
		return nil, fmt.Errorf("no probe %q", id)
	}
}

// Actor acts as every frozen policy does.
type Actor interface {
	Act(dst, obs []float64, mask []bool, r *rand.Rand) error
}

// Return is the mean return of a policy's most likely actions over episodes of a classic
// environment, each with a seed of its own.
func Return(t testing.TB, p Actor, id string, episodes int) float64 {
	t.Helper()
	e, err := Classic(id)(0)
	if err != nil {
		t.Fatal(err)
	}
	return Earned(t, p, e, episodes)
}

// Earned is the mean return of a policy's most likely actions over a number of episodes of an
// environment, which it closes.
func Earned(t testing.TB, p Actor, e env.Env, episodes int) float64 {
	t.Helper()
	defer e.Close()
	action, sum := make([]float64, e.Spec().Action.Len()), 0.0
	for i := range episodes {
		seed := env.HashSeed(1, "eval", uint64(i))
		obs, info, err := e.Reset(&seed, "")
		for done := false; !done; {
			if err == nil {
				err = p.Act(action, obs, info.Mask, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			var s env.Step
			s, err = e.Step(action)
			obs, info, done = s.Obs, s.Info, err != nil || s.Done()
			sum += s.Reward
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return sum / float64(episodes)
}
