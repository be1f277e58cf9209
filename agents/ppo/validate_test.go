package ppo_test

import (
	"math"
	"os"
	"testing"
	"time"

	"tarry/agents/agenttest"
	"tarry/agents/ppo"
)

// TestValidate trains for as long as published results did and compares. It runs only if
// asked for, because it takes minutes: TARRY_VALIDATE=1 go test ./agents/ppo -run Validate -v -timeout 3h
func TestValidate(t *testing.T) {
	if os.Getenv("TARRY_VALIDATE") == "" {
		t.Skip("set TARRY_VALIDATE=1 to train for as long as published results did")
	}
	for _, c := range []struct {
		id         string
		seeds      int
		mean, each float64 // least return of the last 100 training episodes
	}{
		{"classic/CartPole-v1", 5, 475, 450},
		{"classic/Acrobot-v1", 5, -100, -110},
		{"classic/MountainCar-v0", 5, -130, -150},
		{"classic/Pendulum-v1", 5, -250, -400},
	} {
		t.Run(c.id, func(t *testing.T) {
			sum, squares := 0.0, 0.0
			for seed := range c.seeds {
				cfg := ppo.Default()
				agenttest.Advise(t, c.id, "ppo", &cfg)
				cfg.Seed = uint64(seed + 1)
				l, err := ppo.New(cfg, 1, agenttest.Classic(c.id))
				if err != nil {
					t.Fatal(err)
				}
				var last ppo.Row
				start := time.Now()
				if err := l.Train(func(r ppo.Row) error { last = r; return nil }); err != nil {
					t.Fatal(err)
				}
				t.Logf("%s seed %d: last 100 episodes %.2f, deterministic policy over 100 new episodes %.2f, %.0f steps/s",
					c.id, cfg.Seed, last.Return, agenttest.Return(t, l.Policy(), c.id, 100), float64(last.Steps)/time.Since(start).Seconds())
				if last.Return < c.each {
					t.Errorf("%s seed %d: return %.2f, expected at least %g", c.id, cfg.Seed, last.Return, c.each)
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
