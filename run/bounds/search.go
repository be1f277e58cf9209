package bounds

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tarry/baselines/over"
	"tarry/env"
	"tarry/env/trait"
	"tarry/run/trial"
	"tarry/sim"
	"tarry/sim/rng"
)

// plays is how many sequences a search tries in a window.
const plays = 200

// Own lists the bounds of an environment's own, beside All; parse reads policies of the catalogue.
func Own(e env.Env, parse over.Parser) []Bound {
	if of, ok := env.Find[trait.Turned](e); ok {
		return turns(of, parse)
	}
	if of, ok := env.Find[trait.Ruled](e); ok {
		return answers(of)
	}
	return nil
}

// search finds the policy of a trial with hindsight.
type search interface {
	policy(t *trial.Trial) (sim.Policy, error)
	// about is what a trial states of the search.
	about() map[string]any
}

// stream is what a search of a trial draws from.
func stream(t *trial.Trial, name string) *rng.Stream {
	return rng.Source{Experiment: "bounds", Replicate: uint64(t.Keys.Replicate)}.Stream(name)
}

// climb improves a sequence, which begins with a cost: plays times, 1, 2, 4, ... or 32 places in a row at
// random are drawn anew, for good if the cost is less.
func climb[T comparable](r *rng.Stream, found []T, cost float64, draw func(block []T),
	play func(of []T) (float64, error)) ([]T, error) {
	try := slices.Clone(found)
	for range plays {
		from, n := r.IntN(len(found)), 1<<r.IntN(6)
		copy(try, found)
		draw(try[from:min(from+n, len(try))])
		if slices.Equal(try, found) {
			continue
		}
		c, err := play(try)
		if err != nil {
			return nil, err
		}
		if c < cost {
			cost, found, try = c, try, found
		}
	}
	return found, nil
}

// played runs a trial under another policy. It gives the mean completion time in seconds, infinite where
// jobs do not end.
func played(t *trial.Trial, policy func() (sim.Policy, error)) (*trial.Result, float64, error) {
	run := *t
	run.Policy, run.KeepIntervals = policy, false
	done, err := trial.Run(context.Background(), []trial.Trial{run}, trial.Options{})
	if err != nil {
		return nil, 0, fmt.Errorf("search: %w", err)
	}
	if row := &done[0].Row; row.Unfinished == 0 && !math.IsNaN(row.JCTMean) {
		return done[0], row.JCTMean, nil
	}
	return done[0], math.Inf(1), nil
}
