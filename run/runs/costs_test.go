package runs

import (
	"math"
	"path/filepath"
	"testing"

	"tarry/output/results"
)

// TestCosts reads the main number of an evaluation outside the simulator, which has no trials.
func TestCosts(t *testing.T) {
	dir := t.TempDir()
	file(t, `{"baselines": ["rule"]}`, dir, "a", "config.json")
	var rows []results.Eval
	for p, policy := range []string{"ppo-1-best", "rule"} {
		for w := range 3 {
			rows = append(rows, results.Eval{Keys: results.Keys{Policy: policy, Seed: results.NoSeed, Replicate: int64(w)},
				Cost: 100 + float64(w) - float64(p)*float64(10+w), CostName: "wait_s"})
		}
	}
	table(t, filepath.Join(dir, "a"), rows...)
	all, err := List(t.Context(), dir, 1)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d runs, %v", len(all), err)
	}
	r, h := all[0], all[0].Headline
	if r.Err != nil || r.Kind != "eval" || r.What != "ppo-1-best, rule" || r.Date.IsZero() {
		t.Errorf("%+v, expected an evaluation of an agent and a rule", r)
	}
	if h.Cost != "wait_s" || h.Best != "rule" || h.First != "ppo-1-best" || h.Value != 90 ||
		math.Abs(h.Diff.Point+11) > 1e-9 || !(h.Diff.Lo < -11) {
		t.Errorf("%+v, expected 90 wait_s, 11 below the agent", h)
	}
}
