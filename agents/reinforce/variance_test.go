package reinforce

import (
	"fmt"
	"math"
	"testing"

	"tarry/env"
	"tarry/sim/rng"
)

// queue is an input-driven process in small: in each of 20 slots a random amount of work arrives,
// in bursts, and the agent serves it fast (1) or slowly (0). What it earns is minus the backlog,
// most of which the arrivals decide. One kind of arrivals for each seed.
type queue struct {
	spec    env.Spec
	arrive  []float64
	t       int
	backlog float64
	obs     []float64
}

func newQueue() *queue {
	return &queue{obs: make([]float64, 1),
		spec: env.Spec{ID: "test/Queue-v0", Observation: env.NewBox(0, 1, 1), Action: env.Discrete{N: 2}}}
}

func (q *queue) Spec() *env.Spec { return &q.spec }
func (q *queue) Close() error    { return nil }

func (q *queue) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
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

func (q *queue) Step(a []float64) (env.Step, error) {
	q.backlog = max(0, q.backlog+q.arrive[q.t]-1-0.2*a[0])
	q.t++
	q.obs[0] = q.backlog / (1 + q.backlog)
	return env.Step{Obs: q.obs, Reward: -q.backlog, Terminated: q.t == len(q.arrive), Info: env.Info{Elapsed: 1}}, nil
}

// gradients returns the gradients of many updates with the weights as they are.
func gradients(t *testing.T, baselineName string, leaveOneOut bool, updates int) [][]float64 {
	t.Helper()
	cfg := Default()
	cfg.Sequences, cfg.Rollouts, cfg.Baseline, cfg.LeaveOneOut, cfg.Hidden = 2, 8, baselineName, leaveOneOut, []int{4}
	l, err := New(cfg, 2, func(int) (env.Env, error) { return newQueue(), nil })
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var out [][]float64
	for l.run.Updates = range updates {
		tracks, err := l.collect()
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range tracks {
			k.finish(1)
		}
		baseline(&cfg, tracks)
		if _, _, _, err := l.update.gradient(tracks, 1, 0); err != nil {
			t.Fatal(err)
		}
		var g []float64
		for _, w := range l.policy.Params() {
			g = append(g, w.Grad...)
		}
		out = append(out, g)
	}
	return out
}

// spread gives the mean of vectors and the sum of their variances.
func spread(x [][]float64) (mean []float64, variance float64) {
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

// The reason for it all: on the same rollouts the gradient under the input-dependent baseline
// varies far less than under a constant one or one of time alone, and it has the same mean.
func TestInputDependentBaselineLowersVariance(t *testing.T) {
	const updates = 300
	mean, variance := map[string][]float64{}, map[string]float64{}
	for _, name := range []string{Input, Time, Constant} {
		mean[name], variance[name] = spread(gradients(t, name, name != Constant, updates))
	}
	if !(variance[Constant] > 50*variance[Input]) || !(variance[Time] > 50*variance[Input]) {
		t.Errorf("variance of the gradient: input %.3g, time %.3g, constant %.3g; expected more than 50 times that "+
			"of input", variance[Input], variance[Time], variance[Constant])
	}
	distance := 0.0
	for i, v := range mean[Input] {
		distance += (v - mean[Constant][i]) * (v - mean[Constant][i])
	}
	if limit := 3 * math.Sqrt((variance[Input]+variance[Constant])/updates); !(math.Sqrt(distance) < limit) {
		t.Errorf("the means of the gradients are %g apart, expected less than %g", math.Sqrt(distance), limit)
	}
}
