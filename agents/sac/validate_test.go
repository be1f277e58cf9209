package sac_test

import (
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"tarry/agents/sac"
	"tarry/env"
	"tarry/env/classic"
	"tarry/env/wrap"
)

const pendulum = "classic/Pendulum-v1"

// classics makes an environment by id as env/envs does, with its time limit.
func classics(id string) func(int) (env.Env, error) {
	return func(int) (env.Env, error) {
		switch id {
		case pendulum:
			return wrap.TimeLimit(classic.Pendulum(), 200)
		case "classic/CartPole-v1": // choices, which are refused
			return wrap.TimeLimit(classic.CartPole(), 500)
		}
		return nil, fmt.Errorf("no environment %q", id)
	}
}

// evaluate is the mean return of the policy without noise over episodes of their own seeds.
func evaluate(t testing.TB, p *sac.Policy, id string, episodes int) float64 {
	t.Helper()
	e, err := classics(id)(0)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	action, sum := make([]float64, 1), 0.0
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

// TestValidate trains for as long as published results did and compares the policy of the last
// update without noise over 100 new episodes; the last 100 training episodes, with noise, are told
// beside. It runs only if asked for, because it takes minutes:
// TARRY_VALIDATE=1 go test ./agents/sac -run Validate -v -timeout 3h
// (one seed: -run 'Validate/classic/.*/seed=3')
func TestValidate(t *testing.T) {
	if os.Getenv("TARRY_VALIDATE") == "" {
		t.Skip("set TARRY_VALIDATE=1 to train for as long as published results did")
	}
	for _, c := range []struct {
		id         string
		seeds      int
		mean, each float64 // least return of the policy without noise
	}{
		{pendulum, 5, -180, -220},
	} {
		t.Run(c.id, func(t *testing.T) {
			sum, squares, n := 0.0, 0.0, 0.0
			for seed := range c.seeds {
				t.Run(fmt.Sprint("seed=", seed+1), func(t *testing.T) {
					got := validate(t, c.id, uint64(seed+1))
					if got < c.each {
						t.Errorf("return %.2f, expected at least %g", got, c.each)
					}
					sum, squares, n = sum+got, squares+got*got, n+1
				})
			}
			mean := sum / n
			t.Logf("%s: mean over %g seeds %.2f +- %.2f", c.id, n, mean, math.Sqrt(max(0, squares/n-mean*mean)))
			if mean < c.mean {
				t.Errorf("%s: mean return %.2f, expected at least %g", c.id, mean, c.mean)
			}
		})
	}
}

// validate trains with one seed and gives the return of the policy without noise.
func validate(t *testing.T, id string, seed uint64) float64 {
	cfg, _ := sac.Tuned(id)
	cfg.Seed = seed
	l, err := sac.New(cfg, 1, classics(id))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var last sac.Row
	best := math.Inf(-1) // of the training's own means
	start := time.Now()
	if err := l.Train(func(r sac.Row) error {
		last = r
		if r.Return > best {
			best = r.Return
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	rate := float64(last.Steps) / time.Since(start).Seconds()
	got := evaluate(t, l.Policy(), id, 100)
	t.Logf("%s seed %d: policy without noise over 100 new episodes %.2f; training, last 100 episodes %.2f, best %.2f; %.0f steps/s",
		id, seed, got, last.Return, best, rate)
	return got
}
