package dqn_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/dqn"
	"tarry/env"
	"tarry/env/classic"
	"tarry/internal/nn"
)

func TestValidateNamesAllFaults(t *testing.T) {
	c := dqn.Default()
	c.Envs, c.Gamma, c.Tau, c.LearningRate, c.Hidden, c.LearningStarts = 0, 1.5, 0, math.NaN(), []int{64, 0}, -1
	c.Candidates = &dqn.Candidates{Global: -1, Features: 0}
	err := c.Validate()
	if err == nil {
		t.Fatal("a bad configuration was accepted")
	}
	for _, want := range []string{
		"dqn: envs is 0, expected at least 1", "dqn: gamma is 1.5, expected a number from 0 to 1", "dqn: tau is 0,",
		"dqn: learning_rate is NaN", "dqn: hidden[1] is 0", "dqn: learning_starts is -1, expected at least 0",
		"global is -1, expected at least 0", "features is 0, expected at least 1",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %q", want, err)
		}
	}
	for _, set := range []func(*dqn.Config){
		func(c *dqn.Config) { c.TotalSteps = 999 },
		func(c *dqn.Config) { c.Hidden, c.Candidates = nil, &dqn.Candidates{Features: 1} },
		func(c *dqn.Config) { c.EpsStart = 1.1 },
	} {
		c := dqn.Default()
		set(&c)
		if c.Validate() == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
	for _, id := range []string{cartPole, "classic/Acrobot-v1", "classic/MountainCar-v0"} {
		if c, ok := dqn.Tuned(id); !ok || c.Validate() != nil {
			t.Errorf("settings of %s: %v", id, c.Validate())
		}
	}
	if _, ok := dqn.Tuned("other"); ok {
		t.Error("there are settings for an unknown environment")
	}
}

func TestResumeRefusesWhatDoesNotFit(t *testing.T) {
	c := short()["discrete"]
	l, err := dqn.New(c.cfg, 1, c.make)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Update(); err != nil {
		t.Fatal(err)
	}
	saved := save(t, l)
	other, wider := c.cfg, c.cfg
	other.Gamma, other.Candidates = 0.5, &dqn.Candidates{Features: 2}
	wider.Hidden = []int{9}
	foreign := &nn.State{}
	foreign.Put("header", []byte(`{"format":"tarry/agents/ppo/1"}`))
	for _, k := range []struct {
		want  string
		cfg   dqn.Config
		make  func(int) (env.Env, error)
		saved []byte
	}{
		{"gamma was 0.99, now 0.5", other, c.make, saved},
		{"hidden was [8], now [9]", wider, c.make, saved},
		{"another environment", c.cfg, agenttest.Classic("classic/Acrobot-v1"), saved},
		{`dqn: checkpoint is of format "tarry/agents/ppo/1", expected "tarry/agents/dqn/1"`, c.cfg, c.make, foreign.Encode()},
		{"does not start with", c.cfg, c.make, []byte("hello")},
		{"truncated", c.cfg, c.make, saved[:len(saved)-1]},
		{"truncated or damaged", c.cfg, c.make, append(bytes.Clone(saved[:100]), append([]byte{saved[100] ^ 1}, saved[101:]...)...)},
	} {
		if _, err := dqn.Resume(k.cfg, 1, k.make, k.saved); err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("error is %v, want %q", err, k.want)
		}
	}
	if _, err := dqn.LoadPolicy(saved, classic.Acrobot().Spec()); err == nil || !strings.Contains(err.Error(), "other spaces") {
		t.Errorf("policy of another environment: %v", err)
	}
	if _, err := dqn.LoadPolicy(foreign.Encode(), classic.CartPole().Spec()); err == nil || !strings.Contains(err.Error(), "is of format") {
		t.Errorf("policy of another agent: %v", err)
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
	c.cfg.LearningStarts = 10
	broken := errors.New("broken")
	for _, k := range []struct {
		name string
		is   error
		text string
		set  func(f *faulty)
	}{
		{"not a number", dqn.ErrDiverged, "update 1: training diverged: loss NaN of the action values\ngradient of q/0/weight[0,0] is NaN", func(f *faulty) { f.reward = math.NaN() }},
		{"error", broken, "update 1: vec: environment 0", func(f *faulty) { f.fail = broken }},
		{"no legal action", env.ErrNoLegalAction, "environment 0", func(f *faulty) { f.spec.Masked, f.mask = true, make([]bool, 2) }},
		{"several choices", nil, "expected Discrete", func(f *faulty) { f.spec.Action = env.MultiDiscrete{N: []int{2, 2}} }},
	} {
		l, err := dqn.New(c.cfg, 1, func(int) (env.Env, error) {
			f := &faulty{Env: classic.CartPole(), reward: 1}
			f.spec = *f.Env.Spec()
			k.set(f)
			return f, nil
		})
		before, at := 0.0, []bool{true, true}
		if err == nil {
			before = l.Policy().Value(make([]float64, 4), at)
			_, err = l.Update()
		}
		if err == nil || k.is != nil && !errors.Is(err, k.is) || !strings.Contains(err.Error(), k.text) {
			t.Errorf("%s: error is %v, want %q", k.name, err, k.text)
		}
		if l != nil {
			if after := l.Policy().Value(make([]float64, 4), at); after != before {
				t.Errorf("%s: the weights moved", k.name)
			}
			if _, again := l.Update(); again == nil || !strings.Contains(again.Error(), "a former update failed") {
				t.Errorf("%s: a failed run was trained on: %v", k.name, again)
			}
			dump := save(t, l)
			if _, err := dqn.Resume(c.cfg, 1, c.make, dump); err == nil || !strings.Contains(err.Error(), "resume of a run that failed") {
				t.Errorf("%s: a failed run was resumed: %v", k.name, err)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := dqn.New(c.cfg, 1, func(int) (env.Env, error) { return nil, broken }); !errors.Is(err, broken) {
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

func TestActRefusesWhatDoesNotFit(t *testing.T) {
	c := short()["probe/Masked-v0"]
	l, err := dqn.New(c.cfg, 1, c.make)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	p, dst := l.Policy(), make([]float64, 1)
	if err := p.Act(dst, make([]float64, 3), nil, nil); err == nil {
		t.Error("a short observation was accepted")
	}
	if err := p.Act(dst, make([]float64, 4), nil, nil); err == nil {
		t.Error("a missing mask was accepted")
	}
	if err := p.Act(dst, make([]float64, 4), make([]bool, 4), nil); !errors.Is(err, env.ErrNoLegalAction) {
		t.Errorf("an empty mask: %v", err)
	}
}
