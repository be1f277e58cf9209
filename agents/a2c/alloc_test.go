package a2c

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/learn"
	"tarry/env"
	"tarry/env/classic"
)

// Once warm an update of the weights allocates nothing: gathering the rows, the losses with their
// gradients, clipping and the optimiser.
func TestUpdatesAllocateNothing(t *testing.T) {
	cfg := Default()
	cfg.Hidden = []int{8}
	l, err := New(cfg, 1, func(int) (env.Env, error) { return classic.CartPole(), nil })
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var row learn.Row
	agenttest.Warm(t, l.Update, func() error { return l.learn(&row) })
}
