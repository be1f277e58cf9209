package ppo_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/ppo"
	"tarry/env"
	"tarry/env/classic"
)

func TestValidateNamesAllFaults(t *testing.T) {
	c := ppo.Default()
	c.Envs, c.Gamma, c.Clip, c.LearningRate, c.Hidden = 0, 1.5, 0, math.NaN(), []int{64, 0}
	c.Candidates = &ppo.Candidates{Global: -1, Features: 0}
	err := c.Validate()
	if err == nil {
		t.Fatal("a bad configuration was accepted")
	}
	for _, want := range []string{
		"ppo: envs is 0, expected at least 1", "ppo: gamma is 1.5, expected a number from 0 to 1", "ppo: clip is 0,",
		"ppo: learning_rate is NaN", "ppo: hidden[1] is 0", "global is -1, expected at least 0", "features is 0, expected at least 1",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %q", want, err)
		}
	}
	for _, set := range []func(*ppo.Config){
		func(c *ppo.Config) { c.TotalSteps = 511 },
		func(c *ppo.Config) { c.Minibatches = 513 },
		func(c *ppo.Config) { c.Hidden, c.Candidates = nil, &ppo.Candidates{Features: 1} },
		func(c *ppo.Config) { c.NormObs, c.Candidates = true, &ppo.Candidates{Features: 1} },
	} {
		c := ppo.Default()
		set(&c)
		if c.Validate() == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
	for _, id := range []string{cartPole, "classic/Acrobot-v1", "classic/MountainCar-v0", "classic/Pendulum-v1"} {
		if c, ok := ppo.Tuned(id); !ok || c.Validate() != nil {
			t.Errorf("settings of %s: %v", id, c.Validate())
		}
	}
	if _, ok := ppo.Tuned("other"); ok {
		t.Error("there are settings for an unknown environment")
	}
}

func TestResumeRefusesWhatDoesNotFit(t *testing.T) {
	c := short()["discrete"]
	l, err := ppo.New(c.cfg, 1, c.make)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Update(); err != nil {
		t.Fatal(err)
	}
	saved := save(t, l)
	other, wider := c.cfg, c.cfg
	other.Gamma, other.Candidates = 0.5, &ppo.Candidates{Features: 2}
	wider.Hidden = []int{9}
	for _, k := range []struct {
		want  string
		cfg   ppo.Config
		make  func(int) (env.Env, error)
		saved []byte
	}{
		{"gamma was 0.99, now 0.5", other, c.make, saved},
		{"candidates was , now", other, c.make, saved},
		{"hidden was [8], now [9]", wider, c.make, saved},
		{"another environment", c.cfg, agenttest.Classic("classic/Acrobot-v1"), saved},
		{"does not start with", c.cfg, c.make, []byte("hello")},
		{"truncated", c.cfg, c.make, saved[:len(saved)-1]},
		{"truncated", c.cfg, c.make, saved[:20]},
		{"truncated or damaged", c.cfg, c.make, append(bytes.Clone(saved[:100]), append([]byte{saved[100] ^ 1}, saved[101:]...)...)},
	} {
		if _, err := ppo.Resume(k.cfg, 1, k.make, k.saved); err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("error is %v, want %q", err, k.want)
		}
	}
	if _, err := ppo.LoadPolicy(saved, classic.Acrobot().Spec()); err == nil || !strings.Contains(err.Error(), "other spaces") {
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
		{"not a number", ppo.ErrDiverged, "update 1: training diverged: loss NaN", func(f *faulty) { f.reward = math.NaN() }},
		{"error", broken, "update 1: vec: environment 0", func(f *faulty) { f.fail = broken }},
		{"no legal action", env.ErrNoLegalAction, "environment 0", func(f *faulty) { f.spec.Masked, f.mask = true, make([]bool, 2) }},
		{"unbounded actions", nil, "expected finite bounds", func(f *faulty) { f.spec.Action = env.NewBox(0, math.Inf(1), 1) }},
		{"unknown actions", nil, "expected Discrete, MultiDiscrete or Box", func(f *faulty) { f.spec.Action = env.MultiBinary{N: 2} }},
	} {
		l, err := ppo.New(c.cfg, 1, func(int) (env.Env, error) {
			f := &faulty{Env: classic.CartPole(), reward: 1}
			f.spec = *f.Env.Spec()
			k.set(f)
			return f, nil
		})
		var before []byte
		if err == nil {
			before = fmt.Appendf(nil, "%v", l.Policy().Value(make([]float64, 4), []bool{true, true}))
			_, err = l.Update()
		}
		if err == nil || k.is != nil && !errors.Is(err, k.is) || !strings.Contains(err.Error(), k.text) {
			t.Errorf("%s: error is %v, want %q", k.name, err, k.text)
		}
		if l != nil {
			if after := fmt.Appendf(nil, "%v", l.Policy().Value(make([]float64, 4), []bool{true, true})); !bytes.Equal(before, after) {
				t.Errorf("%s: the weights moved", k.name)
			}
			if _, again := l.Update(); again == nil || !strings.Contains(again.Error(), "a former update failed") {
				t.Errorf("%s: a failed run was trained on: %v", k.name, again)
			}
			dump := save(t, l)
			if _, err := ppo.Resume(c.cfg, 1, c.make, dump); err == nil || !strings.Contains(err.Error(), "resume of a run that failed") {
				t.Errorf("%s: a failed run was resumed: %v", k.name, err)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := ppo.New(c.cfg, 1, func(int) (env.Env, error) { return nil, broken }); !errors.Is(err, broken) {
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
	l, err := ppo.New(c.cfg, 1, c.make)
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

// Bad demonstrations are named, not learned.
func TestBadDemonstrations(t *testing.T) {
	c := short()["probe/Masked-v0"]
	for _, action := range []float64{-1, 4, 0.5} {
		l, err := ppo.New(c.cfg, 1, c.make)
		if err != nil {
			t.Fatal(err)
		}
		err = l.Imitate(ppo.Imitation{Updates: 1, Epochs: 1, LearningRate: 1e-3}, func(_ int, _ []float64, _ []bool, dst []float64) error {
			dst[0] = action
			return nil
		}, func(ppo.Row) error { return nil })
		if !errors.Is(err, env.ErrInvalidAction) {
			t.Errorf("action %g: error is %v", action, err)
		}
		if err := l.Imitate(ppo.Imitation{}, nil, nil); err == nil {
			t.Error("an empty warm start was accepted")
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}
