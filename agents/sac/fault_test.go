package sac_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"tarry/agents/sac"
	"tarry/env"
	"tarry/env/classic"
	"tarry/internal/nn"
)

func TestValidateNamesAllFaults(t *testing.T) {
	c := sac.Default()
	c.Envs, c.Gamma, c.Tau, c.LearningRate, c.Hidden, c.LearningStarts = 0, 1.5, 0, math.NaN(), []int{64, 0}, -1
	c.Alpha, c.Entropy = 0, 1
	err := c.Validate()
	if err == nil {
		t.Fatal("a bad configuration was accepted")
	}
	for _, want := range []string{
		"sac: envs is 0, expected at least 1", "sac: gamma is 1.5, expected a number from 0 to 1", "sac: tau is 0,",
		"sac: learning_rate is NaN", "sac: hidden[1] is 0", "sac: learning_starts is -1, expected at least 0",
		"sac: alpha is 0,", "sac: entropy is 1, expected a number from -20 to 0.7",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %q", want, err)
		}
	}
	for _, set := range []func(*sac.Config){
		func(c *sac.Config) { c.TotalSteps = 999 },
	} {
		c := sac.Default()
		set(&c)
		if c.Validate() == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
	if c, ok := sac.Tuned(pendulum); !ok || c.Validate() != nil {
		t.Errorf("settings of %s: %v", pendulum, c.Validate())
	}
	if _, ok := sac.Tuned("other"); ok {
		t.Error("there are settings for an unknown environment")
	}
}

func TestResumeRefusesWhatDoesNotFit(t *testing.T) {
	c := short()["plain"]
	l, err := sac.New(c.cfg, 1, c.make)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Update(); err != nil {
		t.Fatal(err)
	}
	saved := save(t, l)
	other, wider := c.cfg, c.cfg
	other.Gamma = 0.5
	wider.Hidden = []int{9}
	foreign := &nn.State{}
	foreign.Put("header", []byte(`{"format":"tarry/agents/ppo/1"}`))
	for _, k := range []struct {
		want  string
		cfg   sac.Config
		make  func(int) (env.Env, error)
		saved []byte
	}{
		{"gamma was 0.99, now 0.5", other, c.make, saved},
		{"hidden was [8], now [9]", wider, c.make, saved},
		{"another environment", c.cfg, func(int) (env.Env, error) { return classic.Pendulum(), nil }, saved},
		{`sac: checkpoint is of format "tarry/agents/ppo/1", expected "tarry/agents/sac/1"`, c.cfg, c.make, foreign.Encode()},
		{"does not start with", c.cfg, c.make, []byte("hello")},
		{"truncated", c.cfg, c.make, saved[:len(saved)-1]},
		{"truncated or damaged", c.cfg, c.make, append(bytes.Clone(saved[:100]), append([]byte{saved[100] ^ 1}, saved[101:]...)...)},
	} {
		if _, err := sac.Resume(k.cfg, 1, k.make, k.saved); err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("error is %v, want %q", err, k.want)
		}
	}
	if _, err := sac.LoadPolicy(saved, classic.CartPole().Spec()); err == nil || !strings.Contains(err.Error(), "other spaces") {
		t.Errorf("policy of another environment: %v", err)
	}
	if _, err := sac.LoadPolicy(foreign.Encode(), classic.Pendulum().Spec()); err == nil || !strings.Contains(err.Error(), "is of format") {
		t.Errorf("policy of another agent: %v", err)
	}
}

// faulty is Pendulum with something wrong.
type faulty struct {
	env.Env
	spec   env.Spec
	reward float64
	fail   error
}

func (f *faulty) Spec() *env.Spec { return &f.spec }

func (f *faulty) Step(a []float64) (env.Step, error) {
	if f.fail != nil {
		return env.Step{}, f.fail
	}
	s, err := f.Env.Step(a)
	s.Reward = f.reward
	return s, err
}

func TestFaultyEnvironments(t *testing.T) {
	c := short()["plain"]
	c.cfg.LearningStarts = 10
	broken := errors.New("broken")
	for _, k := range []struct {
		name string
		is   error
		text string
		set  func(f *faulty)
	}{
		{"not a number", sac.ErrDiverged, "update 1: training diverged: loss NaN of the critics\ngradient of critic1/0/weight[0,0] is NaN", func(f *faulty) { f.reward = math.NaN() }},
		{"error", broken, "update 1: vec: environment 0", func(f *faulty) { f.fail = broken }},
		{"several choices", nil, "expected Box", func(f *faulty) { f.spec.Action = env.MultiDiscrete{N: []int{2, 2}} }},
		{"unbounded actions", nil, "expected finite bounds", func(f *faulty) { f.spec.Action = env.NewBox(0, math.Inf(1), 1) }},
	} {
		l, err := sac.New(c.cfg, 1, func(int) (env.Env, error) {
			f := &faulty{Env: classic.Pendulum(), reward: 1}
			f.spec = *f.Env.Spec()
			k.set(f)
			return f, nil
		})
		before := 0.0
		if err == nil {
			before = l.Value(make([]float64, 3))
			_, err = l.Update()
		}
		if err == nil || k.is != nil && !errors.Is(err, k.is) || !strings.Contains(err.Error(), k.text) {
			t.Errorf("%s: error is %v, want %q", k.name, err, k.text)
		}
		if l != nil {
			if after := l.Value(make([]float64, 3)); after != before {
				t.Errorf("%s: the weights moved", k.name)
			}
			if _, again := l.Update(); again == nil || !strings.Contains(again.Error(), "a former update failed") {
				t.Errorf("%s: a failed run was trained on: %v", k.name, again)
			}
			dump := save(t, l)
			if _, err := sac.Resume(c.cfg, 1, c.make, dump); err == nil || !strings.Contains(err.Error(), "resume of a run that failed") {
				t.Errorf("%s: a failed run was resumed: %v", k.name, err)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := sac.New(c.cfg, 1, func(int) (env.Env, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("error is %v, want the environment's", err)
	}
}

// A run in environments that have no snapshots cannot be saved, and says so.
func TestSaveWithoutSnapshots(t *testing.T) {
	c := short()["plain"]
	l, _ := train(t, c.cfg, 1, func(int) (env.Env, error) {
		e := classic.Pendulum()
		return &faulty{Env: e, spec: *e.Spec(), reward: 1}, nil
	})
	defer l.Close()
	if _, err := l.Save(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("error is %v, want one of a missing snapshot", err)
	}
}

func TestActRefusesWhatDoesNotFit(t *testing.T) {
	c := short()["plain"]
	l, err := sac.New(c.cfg, 1, c.make)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.Policy().Act(make([]float64, 1), make([]float64, 4), nil, nil); err == nil {
		t.Error("a long observation was accepted")
	}
	if err := l.Policy().Act(make([]float64, 2), make([]float64, 3), nil, nil); err == nil {
		t.Error("a long action was accepted")
	}
}
