package ppo

import (
	"testing"

	"tarry/env"
	"tarry/env/classic"
)

// Once warm an update of the weights allocates nothing: gathering the rows, the losses with their gradients, clipping and the optimiser.
func TestUpdatesAllocateNothing(t *testing.T) {
	cfg := Default()
	cfg.Hidden, cfg.Steps = []int{8}, 32
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
	if n := testing.AllocsPerRun(5, func() { _, err = l.learn(l.update, l.adam, 2, 1e-3, 0.2) }); n != 0 || err != nil {
		t.Errorf("%g allocations per update, error %v", n, err)
	}
}
