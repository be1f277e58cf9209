package gavelsim

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/baselines/gavel/gaveltest"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// TestHabits: what each habit of the simulator does to a completion time. Job 0 comes at 10 s and
// has 2/7 steps/s on a fast GPU, so that 102 whole steps are done after 357 s of a round of 360 s;
// the other 48 take 168 s. Job 1 comes at 11 s and needs 35 s; the next computation is due 1920 s
// after the first, or when nothing runs.
func TestHabits(t *testing.T) {
	for settings, want := range map[string][2]float64{
		// job 1 takes a GPU at 367 s and does not run before all has ended
		"":                        {525, 357 + 168 + 35 - 1},
		",late=false":             {525, 357 + 35 - 1},
		",ends=fixed":             {528, 360 + 360 + 35 - 1},
		",ends=fixed,steps=fluid": {525, 360 + 360 + 35 - 1},
	} {
		cfg := gaveltest.Duo(t, 2, 0, sim.Job{Iterations: 150, IterS: 7, Submit: 10 * sim.Second},
			sim.Job{Iterations: 10, IterS: 7, Submit: 11 * sim.Second})
		got, _ := gaveltest.Play(t, cfg, New, "policy=isolated"+settings)
		if math.Abs(got["0"]-want[0]) > 1e-6 || math.Abs(got["1"]-want[1]) > 1e-6 {
			t.Errorf("%q: %v, expected %v", settings, got, want)
		}
	}
}

// TestSplit: a gang with fewer steps left than workers fails, and five rounds in a row remove it;
// without the habit it ends.
func TestSplit(t *testing.T) {
	for settings, want := range map[string]float64{"": math.NaN(), ",split=false": 0.25} {
		cfg := gaveltest.Duo(t, 2, 0, sim.Job{Iterations: 1, GPUs: 2})
		got, _ := gaveltest.Play(t, cfg, New, "policy=isolated"+settings)
		if x, ok := got["0"]; ok == math.IsNaN(want) || ok && x != want {
			t.Errorf("%q: %v, expected %v", settings, got, want)
		}
	}
}

// TestSettings: mistakes are named.
func TestSettings(t *testing.T) {
	order := filepath.Join(t.TempDir(), "order.csv")
	if err := os.WriteFile(order, []byte("call\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for settings, want := range map[string]string{
		"type_order=none.csv":            "none.csv",
		"type_order=" + order:            "1 lines, expected a header call,first,...",
		"table=nowhere":                  "nowhere",
		"policy=max_min_fairness_packed": "expected an objective without pairs of jobs",
		"packing=true":                   `unknown key "packing"`,
		"types=fastest":                  `unknown key "types"`,
	} {
		if _, err := New(param.Parse("policy gavel-sim", settings), cluster.BestFit); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", settings, err, want)
		}
	}
}
