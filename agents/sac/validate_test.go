package sac_test

import (
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"tarry/agents/agenttest"
	"tarry/agents/sac"
)

const pendulum = "classic/Pendulum-v1"

// TestValidate trains for as long as published results did and compares the policy of the last
// update without noise over 100 new episodes; the last 100 training episodes, with noise, are reported
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
	cfg := sac.Default()
	agenttest.Advise(t, id, "sac", &cfg)
	cfg.Seed = seed
	l, err := sac.New(cfg, 1, agenttest.Classic(id))
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
	got := agenttest.Return(t, l.Policy(), id, 100)
	t.Logf("%s seed %d: policy without noise over 100 new episodes %.2f; training, last 100 episodes %.2f, best %.2f; %.0f steps/s",
		id, seed, got, last.Return, best, rate)
	return got
}
