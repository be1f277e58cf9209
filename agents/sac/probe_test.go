package sac_test

import (
	"math"
	"strings"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/sac"
	"tarry/env"
	"tarry/env/probe"
)

// quick are settings that solve a probe in a blink. The temperature is fixed and low, so that
// entropy counts nothing and values are of rewards alone.
func quick() sac.Config {
	c := sac.Default()
	c.TotalSteps, c.Steps, c.Buffer, c.LearningStarts = 1_000, 100, 1_000, 100
	c.Batch, c.Tau, c.LearningRate, c.Gamma, c.Hidden = 32, 0.05, 5e-3, 0.9, []int{16}
	c.Alpha, c.AutoAlpha = 1e-3, false
	return c
}

// train runs all updates.
func train(t testing.TB, cfg sac.Config, workers int, make func(int) (env.Env, error)) (*sac.Learner, []sac.Row) {
	t.Helper()
	l, err := sac.New(cfg, workers, make)
	return l, agenttest.Train(t, l, err)
}

// boxed is a probe of choices with a continuous action instead: of two choices the second one from
// 0 up.
type boxed struct {
	env.Env
	spec env.Spec
	n    int
	act  [1]float64
}

// asBox gives a probe continuous actions, if it can. Paced stays out: which half of the range is
// better turns round while values grow, and with a temperature of next to nothing an actor that has
// gone to the other end sees no slope there.
func asBox(p probe.Entry) (func(int) (env.Env, error), bool) {
	spec := *p.New().Spec()
	switch a := spec.Action.(type) {
	case env.Box:
		return func(int) (env.Env, error) { return p.New(), nil }, true
	case env.Discrete:
		if a.N > 2 || p.ID == "probe/Paced-v0" {
			return nil, false
		}
		spec.Action = env.NewBox(-1, 1, 1)
		return func(int) (env.Env, error) { return &boxed{Env: p.New(), spec: spec, n: a.N}, nil }, true
	}
	return nil, false
}

func (b *boxed) Spec() *env.Spec { return &b.spec }

func (b *boxed) Step(a []float64) (env.Step, error) {
	b.act[0] = 0
	if b.n == 2 && a[0] >= 0 {
		b.act[0] = 1
	}
	return b.Env.Step(b.act[:])
}

// Every probe whose action can be a number has the known values and best actions.
func TestProbes(t *testing.T) {
	for _, steps := range []int{1, 3} {
		for _, p := range probe.All() {
			make, ok := asBox(p)
			if !ok || steps == 3 && p.ID != "probe/Endless-v0" && p.ID != "probe/Waiting-v0" {
				continue
			}
			t.Run(p.ID, func(t *testing.T) {
				t.Parallel()
				cfg := quick()
				cfg.NSteps = steps
				l, _ := train(t, cfg, 1, make)
				defer l.Close()
				checkProbe(t, &p, l, make, cfg.Gamma)
			})
		}
	}
}

// checkProbe compares values and actions on the observations of 60 episodes.
func checkProbe(t *testing.T, p *probe.Entry, l *sac.Learner, make func(int) (env.Env, error), gamma float64) {
	t.Helper()
	e, err := make(0)
	if err != nil {
		t.Fatal(err)
	}
	action := []float64{0}
	for i := range 60 {
		seed := uint64(i)
		obs, _, err := e.Reset(&seed, "")
		for done := false; !done; {
			if err == nil {
				err = l.Policy().Act(action, obs, nil, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			want := p.Value(gamma, obs)
			if got := l.Value(obs); !(math.Abs(got-want) <= 0.05*max(1, math.Abs(want))) {
				t.Fatalf("%s (%s): value of %v is %.3f, want %.3f", p.ID, p.Isolates, obs, got, want)
			}
			best, got := p.Best(obs)[0], action[0]
			b, choice := e.(*boxed)
			switch {
			case choice && b.n == 1: // all actions lead to the same
			case choice && (got >= 0) != (best == 1), !choice && !(math.Abs(got-best) <= 0.1):
				t.Fatalf("%s (%s): action on %v is %v, want %v", p.ID, p.Isolates, obs, got, best)
			}
			var s env.Step
			s, err = e.Step(action)
			obs, done = s.Obs, err != nil || s.Done()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Actions that are no numbers are refused.
func TestOtherActionsAreRefused(t *testing.T) {
	for _, p := range probe.All() {
		if _, ok := p.New().Spec().Action.(env.Box); ok {
			continue
		}
		_, err := sac.New(quick(), 1, func(int) (env.Env, error) { return p.New(), nil })
		if err == nil || !strings.Contains(err.Error(), "sac: the actions of "+p.ID+" are ") ||
			!strings.Contains(err.Error(), "expected Box") {
			t.Errorf("%s: error is %v", p.ID, err)
		}
	}
}
