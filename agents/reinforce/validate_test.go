package reinforce_test

import (
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"tarry/agents/reinforce"
	"tarry/env"
	"tarry/env/classic"
	"tarry/env/wrap"
	"tarry/internal/actor"
	"tarry/internal/learn"
)

const cartPole = "classic/CartPole-v1"

// classics makes an environment by id as env/envs does, with its time limit.
func classics(id string) func(int) (env.Env, error) {
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

// evaluate is the mean return of a policy over episodes of their own seeds.
func evaluate(t testing.TB, p *actor.Policy, id string, episodes int) float64 {
	t.Helper()
	e, err := classics(id)(0)
	if err != nil {
		t.Fatal(err)
	}
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

// TestValidate trains for as long as published results did and compares. It runs only if
// asked for, because it takes minutes: TARRY_VALIDATE=1 go test ./agents/reinforce -run Validate -v -timeout 3h
func TestValidate(t *testing.T) {
	if os.Getenv("TARRY_VALIDATE") == "" {
		t.Skip("set TARRY_VALIDATE=1 to train for as long as published results did")
	}
	for _, c := range []struct {
		id                 string
		seeds              int
		mean, each, greedy float64 // least return of the last 100 training episodes, and of the most likely actions
	}{
		{"classic/CartPole-v1", 5, 450, 400, 475},
	} {
		t.Run(c.id, func(t *testing.T) {
			sum, squares := 0.0, 0.0
			for seed := range c.seeds {
				cfg, _ := reinforce.Tuned(c.id)
				cfg.Seed = uint64(seed + 1)
				l, err := reinforce.New(cfg, 1, classics(c.id))
				if err != nil {
					t.Fatal(err)
				}
				var last learn.Row
				start := time.Now()
				if err := l.Train(func(r learn.Row) error { last = r; return nil }); err != nil {
					t.Fatal(err)
				}
				rate := float64(last.Steps) / time.Since(start).Seconds()
				greedy := evaluate(t, l.Policy(), c.id, 100)
				t.Logf("%s seed %d: last 100 episodes %.2f, deterministic policy over 100 new episodes %.2f, %.0f steps/s", c.id, cfg.Seed, last.Return, greedy, rate)
				if last.Return < c.each || greedy < c.greedy {
					t.Errorf("%s seed %d: return %.2f, deterministic %.2f, expected at least %g and %g", c.id, cfg.Seed, last.Return, greedy, c.each, c.greedy)
				}
				sum, squares = sum+last.Return, squares+last.Return*last.Return
				if err := l.Close(); err != nil {
					t.Error(err)
				}
			}
			n := float64(c.seeds)
			mean := sum / n
			t.Logf("%s: mean over %d seeds %.2f +- %.2f", c.id, c.seeds, mean, math.Sqrt(max(0, squares/n-mean*mean)))
			if mean < c.mean {
				t.Errorf("%s: mean return %.2f, expected at least %g", c.id, mean, c.mean)
			}
		})
	}
}
