package reinforce_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/reinforce"
	"tarry/env"
	"tarry/env/classic"
	"tarry/internal/actor"
	"tarry/internal/learn"
)

func TestValidateNamesAllFaults(t *testing.T) {
	c := reinforce.Default()
	c.Sequences, c.Gamma, c.Baseline, c.LearningRate, c.Hidden = 0, 1.5, "inputs", math.NaN(), []int{64, 0}
	c.LogStd, c.EntropyShare, c.Candidates = 3, 0, &actor.Candidates{Global: -1, Features: 0}
	err := c.Validate()
	if err == nil {
		t.Fatal("a bad configuration was accepted")
	}
	for _, want := range []string{
		"reinforce: sequences is 0, expected at least 1", "reinforce: gamma is 1.5, expected a number from 0 to 1",
		`reinforce: baseline is "inputs", expected one of input, time, constant; did you mean "input"?`, "reinforce: learning_rate is NaN",
		"reinforce: entropy_share is 0,", "hidden[1] is 0", "log_std is 3, expected a number from -20 to 2", "global is -1, expected at least 0",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %q", want, err)
		}
	}
	for want, set := range map[string]func(*reinforce.Config){
		"total_steps is 0":                      func(c *reinforce.Config) { c.TotalSteps = 0 },
		"rollouts is 1, expected at least 2":    func(c *reinforce.Config) { c.Rollouts = 1 },
		"rollouts is 1, expected more than one": func(c *reinforce.Config) { c.Rollouts, c.Sequences, c.Baseline = 1, 1, reinforce.Time },
		"leave_one_out is true":                 func(c *reinforce.Config) { c.LeaveOneOut, c.Baseline = true, reinforce.Constant },
		"horizon is -1":                         func(c *reinforce.Config) { c.Horizon = -1 },
		"norm_obs is true with candidates":      func(c *reinforce.Config) { c.NormObs, c.Candidates = true, &actor.Candidates{Features: 1} },
	} {
		c := reinforce.Default()
		set(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
	for _, id := range []string{cartPole, "classic/Acrobot-v1"} {
		if c, ok := reinforce.Tuned(id); !ok || c.Validate() != nil {
			t.Errorf("settings of %s: %v", id, c.Validate())
		}
	}
	if _, ok := reinforce.Tuned("other"); ok {
		t.Error("there are settings for an unknown environment")
	}
}

func TestResumeRefusesWhatDoesNotFit(t *testing.T) {
	c := short()["discrete"]
	l, err := reinforce.New(c.cfg, 1, c.make)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Update(); err != nil {
		t.Fatal(err)
	}
	saved := save(t, l)
	other := c.cfg
	other.Gamma, other.Baseline = 0.5, "time"
	for _, k := range []struct {
		want  string
		cfg   reinforce.Config
		make  func(int) (env.Env, error)
		saved []byte
	}{
		{`baseline was "input", now "time"; gamma was 1, now 0.5`, other, c.make, saved},
		{"another environment", c.cfg, agenttest.Classic("classic/Acrobot-v1"), saved},
		{"does not start with", c.cfg, c.make, []byte("hello")},
		{"truncated", c.cfg, c.make, saved[:len(saved)-1]},
		{"truncated or damaged", c.cfg, c.make, append(bytes.Clone(saved[:100]), append([]byte{saved[100] ^ 1}, saved[101:]...)...)},
	} {
		if _, err := reinforce.Resume(k.cfg, 1, k.make, k.saved); err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("error is %v, want %q", err, k.want)
		}
	}
	if _, err := reinforce.LoadPolicy(saved, classic.Acrobot().Spec()); err == nil || !strings.Contains(err.Error(), "other spaces") {
		t.Errorf("policy of another environment: %v", err)
	}
}

// faulty is CartPole with something wrong.
type faulty struct {
	env.Env
	spec   env.Spec
	reward float64
	fail   error
	// elapsed is how long a step takes; 0 = 1.
	elapsed float64
	mask    []bool
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
	if f.elapsed != 0 {
		s.Info.Elapsed = f.elapsed
	}
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
		{"not a number", learn.ErrDiverged, "reinforce: update 1: training diverged: loss NaN", func(f *faulty) { f.reward = math.NaN() }},
		{"error", broken, "update 1: sequence 0, rollout 0: broken", func(f *faulty) { f.fail = broken }},
		{"no legal action", env.ErrNoLegalAction, "sequence 0, rollout 0", func(f *faulty) { f.spec.Masked, f.mask = true, make([]bool, 2) }},
		{"time that runs backwards", nil, "a step took -1 units of time", func(f *faulty) { f.elapsed = -1 }},
		{"unbounded actions", nil, "expected finite bounds", func(f *faulty) { f.spec.Action = env.NewBox(0, math.Inf(1), 1) }},
		{"unknown actions", nil, "expected Discrete, MultiDiscrete or Box", func(f *faulty) { f.spec.Action = env.MultiBinary{N: 2} }},
	} {
		l, err := reinforce.New(c.cfg, 1, func(int) (env.Env, error) {
			f := &faulty{Env: classic.CartPole(), reward: 1}
			f.spec = *f.Env.Spec()
			k.set(f)
			return f, nil
		})
		weights := func() (text string) {
			for _, w := range l.Policy().Params() {
				text += fmt.Sprint(w.W)
			}
			return text
		}
		before := ""
		if err == nil {
			before = weights()
			_, err = l.Update()
		}
		if err == nil || k.is != nil && !errors.Is(err, k.is) || !strings.Contains(err.Error(), k.text) {
			t.Errorf("%s: error is %v, want %q", k.name, err, k.text)
		}
		if l == nil {
			continue
		}
		if before != weights() {
			t.Errorf("%s: the weights moved", k.name)
		}
		if _, again := l.Update(); again == nil || !strings.Contains(again.Error(), "a former update failed") {
			t.Errorf("%s: a failed run was trained on: %v", k.name, again)
		}
		if _, err := reinforce.Resume(c.cfg, 1, c.make, save(t, l)); err == nil || !strings.Contains(err.Error(), "resume of a run that failed") {
			t.Errorf("%s: a failed run was resumed: %v", k.name, err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := reinforce.New(c.cfg, 1, func(int) (env.Env, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("error is %v, want the environment's", err)
	}
}

// A run in environments that have no snapshots can be saved: it needs none.
func TestSaveWithoutSnapshots(t *testing.T) {
	c := short()["discrete"]
	l, _ := train(t, c.cfg, 1, func(int) (env.Env, error) {
		e := classic.CartPole()
		return &faulty{Env: e, spec: *e.Spec(), reward: 1}, nil
	})
	defer l.Close()
	save(t, l)
}

// Environments must be alike.
func TestOtherEnvironments(t *testing.T) {
	c := short()["discrete"]
	if _, err := reinforce.New(c.cfg, 1, func(i int) (env.Env, error) {
		if i == 1 {
			return classic.Acrobot(), nil
		}
		return classic.CartPole(), nil
	}); err == nil || !strings.Contains(err.Error(), "environment 1 is not like environment 0") {
		t.Errorf("error is %v", err)
	}
}
