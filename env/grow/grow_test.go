package grow_test

import (
	"math"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/grow"
	"tarry/env/wrap"
)

const small = "cluster=1x2x4,windows=4,window_jobs=20,jobs=6"

func made(t testing.TB, options string) env.Env {
	t.Helper()
	e, err := grow.Make(simulation.All(), options)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestConforms(t *testing.T) {
	for _, options := range []string{small, small + ",every=600,load=2,checkpoint_s=20",
		small + ",elastic=min=2,speed=counting",
		"protocol=dl2,windows=4,list_jobs=8,nodes=4", "protocol=dl2,windows=4,list_jobs=12,nodes=3,window=4,guard=false," +
			"reward=jct,arrivals=2,raw=true", "protocol=dl2,windows=4,list_jobs=8,nodes=4,times=true"} {
		t.Run(options, func(t *testing.T) {
			envtest.CheckEnv(t, envtest.Config{ResetOptions: []string{"window=2"},
				New: func() (env.Env, error) { return wrap.OrderEnforcing(made(t, options)), nil }})
		})
	}
}

// With reward=jct the rewards of an episode sum to minus the mean time in the system; with slot, and
// rules that leave no job at its cap, to the number of jobs.
func TestPublishedRewards(t *testing.T) {
	for options, want := range map[string]func(cost, jobs float64) float64{
		"reward=jct":  func(cost, _ float64) float64 { return -cost },
		"reward=slot": func(_, jobs float64) float64 { return jobs },
	} {
		e := made(t, "protocol=dl2,list_jobs=10,nodes=3,"+options)
		for _, rule := range []string{"time4", "drf-turns"} {
			sum := playRule(t, e, rule)
			cost, err := e.(interface{ Cost() (float64, error) }).Cost()
			if err != nil {
				t.Fatal(err)
			}
			if w := want(cost, 10); math.Abs(sum-w) > 1e-9*max(1, math.Abs(w)) {
				t.Errorf("%s, %s: rewards sum to %v, expected %v", options, rule, sum, w)
			}
		}
	}
}

// playRule plays window 1 by a rule and gives the sum of rewards.
func playRule(t testing.TB, e env.Env, rule string) (sum float64) {
	t.Helper()
	f := e.(interface {
		Follow(string) error
		Demonstrate([]float64) error
	})
	if err := f.Follow(rule); err != nil {
		t.Fatal(err)
	}
	if _, _, err := e.Reset(nil, "window=1"); err != nil {
		t.Fatal(err)
	}
	action := make([]float64, 1)
	for done := false; !done; {
		if err := f.Demonstrate(action); err != nil {
			t.Fatal(err)
		}
		s, err := e.Step(action)
		if err != nil {
			t.Fatal(err)
		}
		sum += s.Reward
		done = s.Done()
	}
	return sum
}

// In protocol=dl2 a misfit ends the slot and is not kept; actions of a slot but the last have no
// elapsed time and no reward.
func TestPublishedSlots(t *testing.T) {
	e := made(t, "protocol=dl2,list_jobs=10,nodes=2")
	_, info, err := e.Reset(nil, "window=0")
	if err != nil {
		t.Fatal(err)
	}
	misfits := 0
	for done := false; !done; {
		// both, for the first job of the window: sooner or later it does not fit
		action := []float64{3}
		if !info.Mask[3] {
			action[0] = 0
		}
		s, err := e.Step(action)
		if err != nil {
			t.Fatal(err)
		}
		kept := s.Info.Metrics[2] == 1
		switch {
		case !kept && (action[0] == 0 || s.Info.Elapsed == 0):
			t.Fatalf("action %v with %v slots is not kept", action, s.Info.Elapsed)
		case s.Info.Elapsed == 0 && (s.Reward != 0 || action[0] == 0):
			t.Fatalf("action %v within a slot has the reward %v", action, s.Reward)
		case !kept:
			misfits++
		}
		done, info = s.Done(), s.Info
	}
	if misfits == 0 {
		t.Error("nothing was a misfit")
	}
}

func TestFaults(t *testing.T) {
	for options, want := range map[string]string{
		"nodes=3": "nodes belongs to protocol=dl2", "protocol=dl3": "expected", "rule=best": "expected time, gain",
		"protocol=dl2,reward=energy": "expected", "protocol=dl2,cluster=1x1x4": "cluster", "jobs=0": "jobs",
		"hide_work=true": "work is hidden", "protocol=dl2,nodes=0": "nodes", "every=-1": "every",
	} {
		if _, err := grow.Make(simulation.All(), options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %q", options, err, want)
		}
	}
	for _, options := range []string{small, "protocol=dl2"} {
		if err := made(t, options).(interface{ Follow(string) error }).Follow("fifo-like"); err == nil ||
			!strings.Contains(err.Error(), "time4") {
			t.Errorf("%s: error %v", options, err)
		}
	}
}
