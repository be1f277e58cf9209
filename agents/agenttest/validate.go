package agenttest

import (
	"fmt"
	"math"
	"os"
	"testing"

	"tarry/agents/learn"
)

// Goal is the least return that trainings on an environment reach. 0 asks for nothing.
type Goal struct {
	// ID is an environment of Classic, Seeds how many trainings there are.
	ID    string
	Seeds int
	// Mean is over seeds and Each of every seed, of the last 100 episodes of training, actions
	// drawn as in training.
	Mean, Each float64
	// FrozenMean and FrozenEach are the same of the policy of the last update without noise, over
	// 100 new episodes.
	FrozenMean, FrozenEach float64
}

// Validate trains for as long as published results did and holds the returns against the goals,
// unless TARRY_VALIDATE is empty: it takes minutes. One seed: -run 'Validate/classic/.*/seed=3'.
// train makes a learner with a seed, trains it, calling each after every update, and gives its
// policy.
func Validate(t *testing.T, goals []Goal, train func(t *testing.T, id string, seed uint64,
	each func(learn.Row) error) Actor) {
	if os.Getenv("TARRY_VALIDATE") == "" {
		t.Skip("set TARRY_VALIDATE=1 to train for as long as published results did")
	}
	for _, g := range goals {
		t.Run(g.ID, func(t *testing.T) {
			var noisy, frozen []float64
			for seed := uint64(1); seed <= uint64(g.Seeds); seed++ {
				t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
					var last learn.Row
					p := train(t, g.ID, seed, func(r learn.Row) error { last = r; return nil })
					got := Return(t, p, g.ID, 100)
					t.Logf("%s seed %d: last 100 episodes %.2f, policy without noise over 100 new episodes %.2f", g.ID,
						seed, last.Return, got)
					least(t, "return", last.Return, g.Each)
					least(t, "return without noise", got, g.FrozenEach)
					noisy, frozen = append(noisy, last.Return), append(frozen, got)
				})
			}
			least(t, "mean return", mean(t, g.ID, noisy), g.Mean)
			least(t, "mean return without noise", mean(t, g.ID+" without noise", frozen), g.FrozenMean)
		})
	}
}

// least reports a return below a goal, and one that is no number.
func least(t *testing.T, what string, got, goal float64) {
	t.Helper()
	if goal != 0 && !(got >= goal) {
		t.Errorf("%s %.2f, expected at least %g", what, got, goal)
	}
}

// mean logs and gives the mean over the seeds that ran.
func mean(t *testing.T, of string, returns []float64) float64 {
	sum, squares, n := 0.0, 0.0, float64(len(returns))
	for _, r := range returns {
		sum, squares = sum+r, squares+r*r
	}
	m := sum / n
	t.Logf("%s: mean over %g seeds %.2f +- %.2f", of, n, m, math.Sqrt(max(0, squares/n-m*m)))
	return m
}
