package agenttest

import (
	"fmt"

	"tarry/env"
	"tarry/sim/rng"
)

// Queue is an input-driven process in small: in each of 20 slots a random amount of work arrives, in
// bursts, and the agent serves it fast (1) or slowly (0). What it earns is minus the backlog, most of
// which the arrivals decide. There is one kind of arrivals for each seed.
type Queue struct {
	spec    env.Spec
	arrive  []float64
	t       int
	backlog float64
	obs     []float64
}

// NewQueue makes one.
func NewQueue(int) (env.Env, error) {
	return &Queue{obs: make([]float64, 1),
		spec: env.Spec{ID: "test/Queue-v0", Observation: env.NewBox(0, 1, 1), Action: env.Discrete{N: 2}}}, nil
}

// Spec implements env.Env.
func (q *Queue) Spec() *env.Spec { return &q.spec }

// Close implements env.Env.
func (q *Queue) Close() error { return nil }

// Reset implements env.Env.
func (q *Queue) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	if seed == nil || options != "" {
		return nil, env.Info{}, fmt.Errorf("reset with seed %v and options %q", seed, options)
	}
	s := rng.Source{Seed: *seed}.Stream("arrivals")
	q.arrive, q.t, q.backlog = q.arrive[:0], 0, 0
	rate := 4 * s.Float64()
	for range 20 {
		q.arrive = append(q.arrive, rate*s.ExpFloat64())
	}
	q.obs[0] = 0
	return q.obs, env.Info{}, nil
}

// Step implements env.Env.
func (q *Queue) Step(a []float64) (env.Step, error) {
	q.backlog = max(0, q.backlog+q.arrive[q.t]-1-0.2*a[0])
	q.t++
	q.obs[0] = q.backlog / (1 + q.backlog)
	return env.Step{Obs: q.obs, Reward: -q.backlog, Terminated: q.t == len(q.arrive), Info: env.Info{Elapsed: 1}}, nil
}

// Spread gives the mean of vectors and the sum of their variances.
func Spread(x [][]float64) (mean []float64, variance float64) {
	n := float64(len(x))
	mean = make([]float64, len(x[0]))
	for _, g := range x {
		for i, v := range g {
			mean[i] += v / n
		}
	}
	for _, g := range x {
		for i, v := range g {
			variance += (v - mean[i]) * (v - mean[i]) / (n - 1)
		}
	}
	return mean, variance
}
