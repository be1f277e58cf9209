package reinforce

import (
	"math"
	"testing"

	"tarry/agents/agenttest"
)

// gradients returns the gradients of many updates with the weights as they are.
func gradients(t *testing.T, baselineName string, leaveOneOut bool, updates int) [][]float64 {
	t.Helper()
	cfg := Default()
	cfg.Sequences, cfg.Rollouts, cfg.Baseline, cfg.LeaveOneOut, cfg.Hidden = 2, 8, baselineName, leaveOneOut, []int{4}
	l, err := New(cfg, 2, agenttest.NewQueue)
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

// The reason for it all: on the same rollouts the gradient under the input-dependent baseline
// varies far less than under a constant one or one of time alone, and it has the same mean.
func TestInputDependentBaselineLowersVariance(t *testing.T) {
	const updates = 300
	mean, variance := map[string][]float64{}, map[string]float64{}
	for _, name := range []string{Input, Time, Constant} {
		mean[name], variance[name] = agenttest.Spread(gradients(t, name, name != Constant, updates))
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
