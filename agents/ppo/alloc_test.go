package ppo

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/env"
	"tarry/env/classic"
)

// Once warm an update of the weights allocates nothing: gathering the rows, the losses with their
// gradients, clipping and the optimiser.
func TestUpdatesAllocateNothing(t *testing.T) {
	cfg := Default()
	cfg.Hidden, cfg.Steps = []int{8}, 32
	l, err := New(cfg, 1, func(int) (env.Env, error) { return classic.CartPole(), nil })
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	agenttest.Warm(t, l.Update, func() error {
		_, err := l.optimize(l.update, l.adam, 2, 1e-3, 0.2)
		return err
	})
}
