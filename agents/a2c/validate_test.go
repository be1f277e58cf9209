package a2c_test

import (
	"math"
	"os"
	"testing"
	"time"

	"tarry/agents/a2c"
	"tarry/agents/agenttest"
	"tarry/agents/learn"
)

const cartPole = "classic/CartPole-v1"

// TestValidate trains for as long as published results did and compares. It runs only if
// asked for, because it takes minutes: TARRY_VALIDATE=1 go test ./agents/a2c -run Validate -v -timeout 3h
func TestValidate(t *testing.T) {
	if os.Getenv("TARRY_VALIDATE") == "" {
		t.Skip("set TARRY_VALIDATE=1 to train for as long as published results did")
	}
	for _, c := range []struct {
		id                 string
		seeds              int
		mean, each, greedy float64 // least return of the last 100 training episodes, and of the most likely actions
	}{
		{"classic/CartPole-v1", 5, 475, 450, 490},
		{"classic/Acrobot-v1", 3, -110, -130, -110},
	} {
		t.Run(c.id, func(t *testing.T) {
			sum, squares := 0.0, 0.0
			for seed := range c.seeds {
				cfg := a2c.Default()
				agenttest.Advise(t, c.id, "a2c", &cfg)
				cfg.Seed = uint64(seed + 1)
				l, err := a2c.New(cfg, 1, agenttest.Classic(c.id))
				if err != nil {
					t.Fatal(err)
				}
				var last learn.Row
				start := time.Now()
				if err := l.Train(func(r learn.Row) error { last = r; return nil }); err != nil {
					t.Fatal(err)
				}
				rate := float64(last.Steps) / time.Since(start).Seconds()
				greedy := agenttest.Return(t, l.Policy(), c.id, 100)
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
