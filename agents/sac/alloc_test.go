package sac

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
	cfg.Hidden, cfg.Steps, cfg.LearningStarts, cfg.Batch = []int{8}, 200, 100, 32
	l, err := New(cfg, 1, func(int) (env.Env, error) { return classic.Pendulum(), nil })
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var row Row
	agenttest.Warm(t, l.Update, func() error { return l.learn(&row, 0) })
}
