package a2c_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/agents/a2c"
	"tarry/agents/agenttest"
	"tarry/env"
	"tarry/env/classic"
	"tarry/internal/actor"
	"tarry/internal/learn"
)

func TestValidateNamesAllFaults(t *testing.T) {
	c := a2c.Default()
	c.Envs, c.Gamma, c.Optimizer, c.LearningRate, c.Hidden = 0, 1.5, "sgd", math.NaN(), []int{64, 0}
	c.LogStd, c.Candidates = 3, &actor.Candidates{Global: -1, Features: 0}
	err := c.Validate()
	if err == nil {
		t.Fatal("a bad configuration was accepted")
	}
	for _, want := range []string{
		"a2c: envs is 0, expected at least 1", "a2c: gamma is 1.5, expected a number from 0 to 1",
		`a2c: optimizer is "sgd", expected one of rmsprop, rmsprop_tf, adam`, "a2c: learning_rate is NaN", "hidden[1] is 0",
		"log_std is 3, expected a number from -20 to 2", "global is -1, expected at least 0", "features is 0, expected at least 1",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %q", want, err)
		}
	}
	for want, set := range map[string]func(*a2c.Config){
		"total_steps is 999, expected at least one update of envs*steps*rollouts = 1000": func(c *a2c.Config) { c.TotalSteps = 999 },
		"norm_advantage is true, expected false where a rollout has one step":            func(c *a2c.Config) { c.NormAdvantage, c.Envs, c.Steps = true, 1, 1 },
		"hidden is empty":                  func(c *a2c.Config) { c.Hidden, c.Candidates = nil, &actor.Candidates{Features: 1} },
		"norm_obs is true with candidates": func(c *a2c.Config) { c.NormObs, c.Candidates = true, &actor.Candidates{Features: 1} },
		"rollouts is 0":                    func(c *a2c.Config) { c.Rollouts = 0 },
	} {
		c := a2c.Default()
		set(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
	for _, id := range []string{cartPole, "classic/Acrobot-v1", "classic/MountainCar-v0"} {
		if c, ok := a2c.Tuned(id); !ok || c.Validate() != nil {
			t.Errorf("settings of %s: %v", id, c.Validate())
		}
	}
	if _, ok := a2c.Tuned("other"); ok {
		t.Error("there are settings for an unknown environment")
	}
}

func TestResumeRefusesWhatDoesNotFit(t *testing.T) {
	c := short()["discrete"]
	l, err := a2c.New(c.cfg, 1, c.make)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Update(); err != nil {
		t.Fatal(err)
	}
	saved := save(t, l)
	other := c.cfg
	other.Gamma, other.Optimizer = 0.5, "adam"
	for _, k := range []struct {
		want  string
		cfg   a2c.Config
		make  func(int) (env.Env, error)
		saved []byte
	}{
		{`gamma was 0.99, now 0.5; optimizer was "rmsprop", now "adam"`, other, c.make, saved},
		{"another environment", c.cfg, agenttest.Classic("classic/Acrobot-v1"), saved},
		{"does not start with", c.cfg, c.make, []byte("hello")},
		{"truncated", c.cfg, c.make, saved[:len(saved)-1]},
		{"truncated or damaged", c.cfg, c.make, append(bytes.Clone(saved[:100]), append([]byte{saved[100] ^ 1}, saved[101:]...)...)},
	} {
		if _, err := a2c.Resume(k.cfg, 1, k.make, k.saved); err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("error is %v, want %q", err, k.want)
		}
	}
	if _, err := a2c.LoadPolicy(saved, classic.Acrobot().Spec()); err == nil || !strings.Contains(err.Error(), "other spaces") {
		t.Errorf("policy of another environment: %v", err)
	}
}

// faulty is CartPole with something wrong.
type faulty struct {
	env.Env
	spec   env.Spec
	reward float64
	fail   error
	mask   []bool
}

func (f *faulty) Spec() *env.Spec { return &f.spec }

func (f *faulty) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	obs, info, err := f.Env.Reset(seed, options)
	info.Mask = f.mask
	return obs, info, err
}

func (f *faulty) Step(a []float64) (env.Step, error) {
	if f.fail != nil {
		return env.Step{}, f.fail
	}
	s, err := f.Env.Step(a)
	s.Reward, s.Info.Mask = f.reward, f.mask
	return s, err
}

func TestFaultyEnvironments(t *testing.T) {
	c := short()["discrete"]
	broken := errors.New("broken")
	for _, k := range []struct {
		name string
		is   error
		text string
		set  func(f *faulty)
	}{
		{"not a number", learn.ErrDiverged, "a2c: update 1: training diverged: loss NaN", func(f *faulty) { f.reward = math.NaN() }},
		{"error", broken, "update 1: vec: environment 0", func(f *faulty) { f.fail = broken }},
		{"no legal action", env.ErrNoLegalAction, "environment 0", func(f *faulty) { f.spec.Masked, f.mask = true, make([]bool, 2) }},
		{"unbounded actions", nil, "expected finite bounds", func(f *faulty) { f.spec.Action = env.NewBox(0, math.Inf(1), 1) }},
		{"unknown actions", nil, "expected Discrete, MultiDiscrete or Box", func(f *faulty) { f.spec.Action = env.MultiBinary{N: 2} }},
	} {
		l, err := a2c.New(c.cfg, 1, func(int) (env.Env, error) {
			f := &faulty{Env: classic.CartPole(), reward: 1}
			f.spec = *f.Env.Spec()
			k.set(f)
			return f, nil
		})
		value := func() string { return fmt.Sprint(l.Policy().Value(make([]float64, 4), []bool{true, true})) }
		before := ""
		if err == nil {
			before = value()
			_, err = l.Update()
		}
		if err == nil || k.is != nil && !errors.Is(err, k.is) || !strings.Contains(err.Error(), k.text) {
			t.Errorf("%s: error is %v, want %q", k.name, err, k.text)
		}
		if l == nil {
			continue
		}
		if after := value(); before != after {
			t.Errorf("%s: the weights moved", k.name)
		}
		if _, again := l.Update(); again == nil || !strings.Contains(again.Error(), "a former update failed") {
			t.Errorf("%s: a failed run was trained on: %v", k.name, again)
		}
		if _, err := a2c.Resume(c.cfg, 1, c.make, save(t, l)); err == nil || !strings.Contains(err.Error(), "resume of a run that failed") {
			t.Errorf("%s: a failed run was resumed: %v", k.name, err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := a2c.New(c.cfg, 1, func(int) (env.Env, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("error is %v, want the environment's", err)
	}
}

// A run in environments that have no snapshots cannot be saved, and says so.
func TestSaveWithoutSnapshots(t *testing.T) {
	c := short()["discrete"]
	l, _ := train(t, c.cfg, 1, func(int) (env.Env, error) {
		e := classic.CartPole()
		return &faulty{Env: e, spec: *e.Spec(), reward: 1}, nil
	})
	defer l.Close()
	if _, err := l.Save(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("error is %v, want one of a missing snapshot", err)
	}
}
