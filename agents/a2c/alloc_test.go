package a2c

import (
	"testing"

	"tarry/agents/learn"
	"tarry/env"
	"tarry/env/classic"
)

// Once warm an update of the weights allocates nothing: gathering the rows, the losses with their gradients, clipping and the optimiser.
func TestUpdatesAllocateNothing(t *testing.T) {
	cfg := Default()
	cfg.Hidden = []int{8}
	l, err := New(cfg, 1, func(int) (env.Env, error) { return classic.CartPole(), nil })
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for range 2 {
		if _, err := l.Update(); err != nil {
			t.Fatal(err)
		}
	}
	var row learn.Row
	if n := testing.AllocsPerRun(5, func() { err = l.learn(&row) }); n != 0 || err != nil {
		t.Errorf("%g allocations per update, error %v", n, err)
	}
}
