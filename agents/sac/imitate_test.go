package sac_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/agents/learn"
	"tarry/agents/sac"
	"tarry/env"
	"tarry/env/probe"
)

// warm is how the tests imitate.
var warm = learn.Imitation{Updates: 3, Epochs: 3, LearningRate: 1e-3}

// withDemos is a run of short with demonstrations.
func withDemos(cfg sac.Config) sac.Config {
	demo := sac.DefaultDemo()
	cfg.Demo = &demo
	return cfg
}

// middle demonstrates the middle of the range, first a bound of it.
func middle(spec *env.Spec) learn.Demonstrator {
	box, _ := spec.Action.(env.Box)
	return func(_ int, _ []float64, _ []bool, dst []float64) error {
		for i := range dst {
			dst[i] = (box.Low[i] + box.High[i]) / 2
		}
		dst[0] = box.High[0]
		return nil
	}
}

func ignore(sac.Row) error { return nil }

// imitated is a learner's start.
func imitated(l *sac.Learner, spec *env.Spec) error { return l.Imitate(warm, middle(spec), ignore) }

// After the warm start alone the actions without noise on a small problem are the demonstrator's,
// here ones that are far from the best.
func TestDemonstratedActionsAreTaken(t *testing.T) {
	for _, p := range probe.All() {
		if p.ID != "probe/Target-v0" {
			continue
		}
		l, err := sac.New(withDemos(quick()), 1, func(int) (env.Env, error) { return p.New(), nil })
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		shown := func(obs []float64, k int) float64 { return 0.6 - p.Best(obs)[k]/2 }
		demo := func(_ int, obs []float64, _ []bool, dst []float64) error {
			for k := range dst {
				dst[k] = shown(obs, k)
			}
			return nil
		}
		if err := l.Imitate(learn.Imitation{Episodes: 300, Epochs: 60, LearningRate: 5e-3}, demo, ignore); err != nil {
			t.Fatal(err)
		}
		e := p.New()
		action := make([]float64, e.Spec().Action.Len())
		for i := range 50 {
			seed := uint64(i)
			obs, _, err := e.Reset(&seed, "")
			if err := errors.Join(err, l.Policy().Act(action, obs, nil, nil)); err != nil {
				t.Fatal(err)
			}
			for k, a := range action {
				if math.Abs(a-shown(obs, k)) > 0.05 {
					t.Fatalf("action %d on %v is %g, demonstrated was %g", k, obs, a, shown(obs, k))
				}
			}
		}
	}
}

// Rows of a warm start are marked as such; a run that its watcher ends has no fault.
func TestImitationIsWatched(t *testing.T) {
	c := short()["plain"]
	l, err := sac.New(withDemos(c.Config), 1, c.Env)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	e, _ := c.Env(0)
	var rows []sac.Row
	if err := l.Imitate(warm, middle(e.Spec()), func(r sac.Row) error {
		rows = append(rows,
			r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	last := rows[len(rows)-1]
	if !last.Imitation || last.Update != 3 || last.Steps != 180 || !(last.PolicyLoss >= 0) || !(last.ValueLoss >= 0) ||
		!math.IsNaN(rows[0].PolicyLoss) {
		t.Errorf("the first row is %+v, the last %+v", rows[0], last)
	}
	row, err := l.Update()
	if err != nil || row.Imitation || row.Update != 1 || row.Steps != last.Steps+60 {
		t.Errorf("the first update is %+v, error %v", row, err)
	}
	if err := l.Imitate(warm, middle(e.Spec()), ignore); err == nil ||
		err.Error() != "sac: imitation after 1 updates, expected before the first" {
		t.Errorf("a late imitation gives %v", err)
	}
}

func TestImitationFaults(t *testing.T) {
	c := short()["plain"]
	bad := errors.New("none of mine")
	for _, f := range []struct {
		set  func(*sac.Config)
		how  learn.Imitation
		demo learn.Demonstrator
		want string
	}{
		{func(c *sac.Config) { c.Demo = nil }, warm, nil, "sac: imitation without settings for demonstrations, " +
			"expected Config.Demo, such as DefaultDemo"},
		{nil, learn.Imitation{Epochs: 1}, nil, "sac: imitation has 0 episodes, 0 updates, 1 epochs, learning rate " +
			"0, expected at least 1 of the first two, 1 and more than 0"},
		{nil, warm, func(int, []float64, []bool, []float64) error { return bad },
			"sac: imitation: environment 0: demonstrator: none of mine"},
		{nil, warm, func(_ int, _ []float64, _ []bool, dst []float64) error { dst[0] = 9; return nil },
			"sac: imitation: environment 0: demonstrator: "},
	} {
		cfg := withDemos(c.Config)
		if f.set != nil {
			f.set(&cfg)
		}
		l, err := sac.New(cfg, 1, c.Env)
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
	demo := sac.Demo{Share: 1, Weight: math.NaN()}
	cfg := c.Config
	cfg.Demo, cfg.Batch = &demo, 1
	for _, want := range []string{"sac: demo_share is 1, expected a number between 0 and 1",
		"sac: demo_weight is NaN, expected a number from 0 to 1e6", "sac: batch is 1, expected at least 2 where " +
			"part of it is demonstrated"} {
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %s", fmt.Sprint(err), want)
		}
	}
}
