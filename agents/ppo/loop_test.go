package ppo

import (
	"math"
	"testing"

	"tarry/env"
	"tarry/env/classic"
)

// tiny is a run of 10 updates of 60 rows.
func tiny(t *testing.T, set func(*Config)) *Learner {
	t.Helper()
	cfg := Default()
	cfg.TotalSteps, cfg.Envs, cfg.Steps, cfg.Epochs, cfg.Minibatches, cfg.Hidden = 600, 3, 20, 3, 4, []int{8}
	set(&cfg)
	l, err := New(cfg, 1, func(int) (env.Env, error) { return classic.CartPole(), nil })
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The optimiser steps once per minibatch and epoch, a last part of fewer rows included, and
// stops after the epoch in which the policy moved too far.
func TestStepsOfTheOptimiser(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*Config)
		want uint64
	}{
		{"even parts", func(*Config) {}, 3 * 4},
		{"uneven parts", func(c *Config) { c.Minibatches = 7 }, 3 * 7}, // six of 9 rows, one of 6
		{"one part", func(c *Config) { c.Minibatches = 1 }, 3},
		{"parts of one row", func(c *Config) { c.Minibatches = 60 }, 3 * 60},
		{"moved too far", func(c *Config) { c.TargetKL = 1e-12 }, 4},
		{"moved little", func(c *Config) { c.TargetKL = 1 }, 3 * 4},
	} {
		l := tiny(t, c.set)
		if _, err := l.Update(); err != nil {
			t.Fatal(c.name, err)
		}
		if got := l.adam.Steps(); got != c.want {
			t.Errorf("%s: %d steps, want %d", c.name, got, c.want)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Each epoch sees every row once.
func TestEveryRowIsSeenOnce(t *testing.T) {
	l := tiny(t, func(c *Config) { c.Epochs = 1 })
	defer l.Close()
	if _, err := l.Update(); err != nil {
		t.Fatal(err)
	}
	seen, inOrder := make([]int, 60), true
	for i, row := range l.index {
		seen[row]++
		inOrder = inOrder && i == row
	}
	for row, n := range seen {
		if n != 1 {
			t.Errorf("row %d was seen %d times", row, n)
		}
	}
	if inOrder {
		t.Error("the rows were not shuffled")
	}
}

// The learning rate falls in a straight line: the first update has all of it, and one more
// than the last would have none.
func TestAnnealing(t *testing.T) {
	l := tiny(t, func(c *Config) { c.LearningRate = 1e-3 })
	defer l.Close()
	update := 0
	if err := l.Train(func(r Row) error {
		if want := 1e-3 * (1 - float64(update)/10); math.Abs(r.LearningRate-want) > 1e-15 {
			t.Errorf("update %d has learning rate %g, want %g", r.Update, r.LearningRate, want)
		}
		update++
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if update != 10 || !l.Done() {
		t.Errorf("%d updates were made, want 10", update)
	}
}

// What a rollout holds fits together: each step leads to the value of the next one, or of what the
// environment shows after the last, and discounts follow time.
func TestRolloutFitsTogether(t *testing.T) {
	l := tiny(t, func(*Config) {})
	defer l.Close()
	if err := l.collect(l.act); err != nil {
		t.Fatal(err)
	}
	r, ends := l.r, 0
	GAE(r.Rollout, 0) // advantages are reward + gamma V(next) - V
	for row := range r.Rows() {
		if r.Discounts[row] != 0.99 || r.Rewards[row] != 1 {
			t.Fatalf("row %d has discount %g and reward %g", row, r.Discounts[row], r.Rewards[row])
		}
		if got := l.policy.ValueOf(r.ObsOf(row), nil); got != r.Values[row] {
			t.Fatalf("row %d has value %g, its observation %g", row, r.Values[row], got)
		}
		next := 0.0
		switch {
		case r.Terminated[row]:
			ends++
		case row+3 < r.Rows():
			next = l.policy.ValueOf(r.ObsOf(row+3), nil)
		default:
			next = l.policy.Value(l.envs.Batch.ObsOf(row%3), nil)
		}
		if want := 1 + 0.99*next - r.Values[row]; math.Abs(r.Advantages[row]-want) > 1e-12 {
			t.Fatalf("row %d leads to value %g: its advantage is %g, expected %g", row, next, r.Advantages[row], want)
		}
	}
	if ends == 0 || l.run.Tally.Count != ends || l.run.Steps != 60 {
		t.Errorf("%d ends, %d episodes, %d steps", ends, l.run.Tally.Count, l.run.Steps)
	}
}
