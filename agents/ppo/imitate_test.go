package ppo_test

import (
	"math"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/ppo"
	"tarry/env"
	"tarry/env/probe"
)

func TestImitates(t *testing.T) {
	agenttest.Imitates(t, func() (*ppo.Learner, error) {
		return ppo.New(ppo.Default(), 1, agenttest.Classic(cartPole))
	})
}

// Demonstrations of continuous actions are followed, with and without tanh.
func TestImitateContinuous(t *testing.T) {
	for _, squash := range []bool{false, true} {
		cfg := quick()
		cfg.Squash = squash
		for _, p := range probe.All() {
			if p.ID != "probe/Target-v0" {
				continue
			}
			l, err := ppo.New(cfg, 1, func(int) (env.Env, error) { return p.New(), nil })
			if err != nil {
				t.Fatal(err)
			}
			err = l.Imitate(ppo.Imitation{Updates: 20, Epochs: 5, LearningRate: 0.01},
				func(_ int, obs []float64, _ []bool, dst []float64) error {
					dst[0] = obs[0] / 2
					return nil
				}, func(ppo.Row) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			got := []float64{0}
			if err := l.Policy().Act(got, []float64{1}, nil, nil); err != nil || math.Abs(got[0]-0.5) > 0.05 {
				t.Errorf("squash %v: action is %v, want 0.5, error %v", squash, got, err)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
