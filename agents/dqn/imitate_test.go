package dqn_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/agents/dqn"
	"tarry/agents/learn"
	"tarry/env"
	"tarry/env/probe"
)

// warm is how the tests imitate.
var warm = learn.Imitation{Episodes: 20, Epochs: 3, LearningRate: 1e-3}

// withDemos is a run of short with demonstrations.
func withDemos(cfg dqn.Config) dqn.Config {
	demo := dqn.DefaultDemo()
	cfg.Demo = &demo
	return cfg
}

// first demonstrates the first legal action.
func first(spec *env.Spec) learn.Demonstrator {
	start := 0.0
	if a, ok := spec.Action.(env.Discrete); ok {
		start = float64(a.Start)
	}
	return func(_ int, _ []float64, mask []bool, dst []float64) error {
		dst[0] = start
		for i, ok := range mask {
			if ok {
				dst[0] += float64(i)
				break
			}
		}
		return nil
	}
}

func ignore(dqn.Row) error { return nil }

// imitated is a learner's start.
func imitated(l *dqn.Learner, spec *env.Spec) error { return l.Imitate(warm, first(spec), ignore) }

// After the warm start alone the greedy actions on small problems are the demonstrator's: the best
// ones, or, to distinguish that from learned values, the worst ones where there are two.
func TestDemonstratedActionsAreGreedy(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and its goroutines are those of shorter tests; not with -short")
	}
	for _, p := range probe.All() {
		a, ok := p.New().Spec().Action.(env.Discrete)
		if !ok || p.ID == "probe/Waiting-v0" || p.ID == "probe/Limits-v0" { // a perceptron does not solve the latter
			continue
		}
		for _, worst := range []bool{false, true} {
			if worst && (a.N != 2 || p.New().Spec().Masked) {
				continue
			}
			shown := func(obs []float64) float64 {
				best := p.Best(obs)[0]
				if worst {
					return 2*float64(a.Start) + 1 - best
				}
				return best
			}
			cfg := withDemos(quick())
			cfg.Hidden = []int{32, 32}
			l, err := dqn.New(cfg, 1, func(int) (env.Env, error) { return p.New(), nil })
			if err != nil {
				t.Fatal(err)
			}
			demo := func(_ int, obs []float64, _ []bool, dst []float64) error { dst[0] = shown(obs); return nil }
			if err := l.Imitate(learn.Imitation{Episodes: 300, Epochs: 25, LearningRate: 3e-3}, demo,
				ignore); err != nil {
				t.Fatal(err)
			}
			if got := agreement(t, &p, l.Policy(), shown); got < 0.97 {
				t.Errorf("%s (worst %v): %.3f of the greedy actions are the demonstrated ones", p.ID, worst, got)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// agreement is the share of greedy actions on new episodes of the demonstrator that are its own.
func agreement(t *testing.T, p *probe.Entry, policy *dqn.Policy, shown func([]float64) float64) float64 {
	t.Helper()
	e := p.New()
	same, all, action := 0.0, 0.0, []float64{0}
	for i := range 50 {
		seed := uint64(1000 + i)
		obs, info, err := e.Reset(&seed, "")
		for done := false; !done; all++ {
			if err := errors.Join(err, policy.Act(action, obs, info.Mask, nil)); err != nil {
				t.Fatal(err)
			}
			want := shown(obs)
			if action[0] == want {
				same++
			}
			var s env.Step
			if s, err = e.Step([]float64{want}); err != nil {
				t.Fatal(err)
			}
			obs, info, done = s.Obs, s.Info, s.Done()
		}
	}
	return same / all
}

// Rows of a warm start are marked as such; a run that its watcher ends has no fault.
func TestImitationIsWatched(t *testing.T) {
	c := short()["discrete"]
	l, err := dqn.New(withDemos(c.Config), 1, c.Env)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	e, _ := c.Env(0)
	var rows []dqn.Row
	if err := l.Imitate(warm, first(e.Spec()), func(r dqn.Row) error {
		rows = append(rows,
			r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	last := rows[len(rows)-1]
	if !last.Imitation || last.Update != 3 || last.Episodes < 20 || !(last.PolicyLoss >= 0) ||
		!(last.ValueLoss >= 0) || !math.IsNaN(rows[0].PolicyLoss) {
		t.Errorf("the first row is %+v, the last %+v", rows[0], last)
	}
	row, err := l.Update()
	if err != nil || row.Imitation || row.Update != 1 || row.Steps != last.Steps+60 {
		t.Errorf("the first update is %+v, error %v", row, err)
	}
	if err := l.Imitate(warm, first(e.Spec()), ignore); err == nil || err.Error() != "dqn: imitation after 1 "+
		"updates, expected before the first" {
		t.Errorf("a late imitation gives %v", err)
	}
}

func TestImitationFaults(t *testing.T) {
	c := short()["discrete"]
	bad := errors.New("none of mine")
	for _, f := range []struct {
		set  func(*dqn.Config)
		how  learn.Imitation
		demo learn.Demonstrator
		want string
	}{
		{func(c *dqn.Config) { c.Demo = nil }, warm, nil, "dqn: imitation without settings for demonstrations, " +
			"expected Config.Demo, such as DefaultDemo"},
		{nil, learn.Imitation{Epochs: 1}, nil, "dqn: imitation has 0 episodes, 0 updates, 1 epochs, learning rate " +
			"0, expected at least 1 of the first two, 1 and more than 0"},
		{nil, warm, func(int, []float64, []bool, []float64) error { return bad },
			"dqn: imitation: environment 0: demonstrator: none of mine"},
		{nil, warm, func(_ int, _ []float64, _ []bool, dst []float64) error { dst[0] = 9; return nil },
			"dqn: imitation: environment 0: demonstrator: "},
	} {
		cfg := withDemos(c.Config)
		if f.set != nil {
			f.set(&cfg)
		}
		l, err := dqn.New(cfg, 1, c.Env)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Imitate(f.how, f.demo, ignore); err == nil || !strings.HasPrefix(err.Error(), f.want) {
			t.Errorf("error is %v, want %s", err, f.want)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	demo := dqn.Demo{Share: 1, Margin: -1, Weight: math.NaN()}
	cfg := c.Config
	cfg.Demo, cfg.Batch = &demo, 1
	for _, want := range []string{"dqn: demo_share is 1, expected a number between 0 and 1",
		"dqn: demo_margin is -1, expected a number from 0 to 1e6",
		"dqn: demo_weight is NaN, expected a number from 0 to 1e6", "dqn: batch is 1, expected at least 2 where " +
			"part of it is demonstrated"} {
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %s", fmt.Sprint(err), want)
		}
	}
}
