package sweep

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/output/results"
)

// tuneText is a tune sweep of two cells; one axis is optimised.
const tuneText = `name: tune
kind: tune
base:
  env: tarry/DelayTimer-v0:cluster=2x2x4,load=1.2,windows=8,warm=2,horizon=6,lease_s=1800
  policy: dally-manual
  optimiser: tpe
  params: {t_net: "0.05:40:log", order: [network, fifo]}
  budget: 10
  windows: 2
  validation: 2
  candidates: 2
  evaluate: {baselines: [fifo, dally-manual, dally-manual:t_rack=1,t_net=2], baselines_once: true, windows: 2}
axes:
  - name: t_rack
    optimise: {from: 0.05, to: 20, log: true}
seeds: 2
`

// An axis with optimise is a parameter of every cell, on no id; parameters are in the order of
// their names.
func TestOptimiseCells(t *testing.T) {
	cells, err := cellsOf(t, strings.Replace(tuneText, "seeds: 2", "  - {name: optimiser, values: [tpe, random]}\n  "+
		"- {name: queues/10, optimise: {from: 1, to: 9, log: true, int: true}}\n"+
		"  - {name: queues/9, optimise: 1:9:int}\nseeds: 2", 1))
	if err != nil || len(cells) != 4 {
		t.Fatalf("%d cells, %v", len(cells), err)
	}
	if c := cells[2]; c.ID != "optimiser=random/seed=1" || len(c.Axes) != 1 || c.ConfigSHA256 == cells[0].ConfigSHA256 {
		t.Errorf("got %+v", c)
	}
	got, err := tuneConfig(shipped.All(), &cells[3], "x", func(string) string { return "" })
	want := []string{"order=network|fifo", "queues/9=1:9:int", "queues/10=1:9:logint", "t_net=0.05:40:log",
		"t_rack=0.05:20:log"}
	if err != nil || !slices.Equal(got.tune.Params, want) || got.tune.Seed != 2 || got.tune.Optimiser != "random" ||
		got.tune.Budget != 10 || got.tune.Validation != 2 {
		t.Errorf("got %+v, %v", got.tune, err)
	}
	first, err := tuneConfig(shipped.All(), &cells[0], "x", func(string) string { return "" })
	if err != nil || !slices.Equal(first.evaluate.Baselines,
		[]string{"fifo", "dally-manual", "dally-manual:t_rack=1,t_net=2"}) || len(got.evaluate.Baselines) != 0 ||
		got.evaluate.Windows != 2 {
		t.Errorf("baselines %q in the first seed's, %q in the other's: %v", first.evaluate.Baselines,
			got.evaluate.Baselines, err)
	}
}

// TestTuneStopped: tune cells that are stopped ever again leave the bytes of undisturbed ones.
func TestTuneStopped(t *testing.T) {
	straight := planIn(t, filepath.Join(t.TempDir(), "s"), tuneText)
	runAll(t, straight)
	bent := planIn(t, filepath.Join(t.TempDir(), "s"), tuneText)
	for i := range bent.Len() {
		ended := filepath.Join(bent.CellDir(i), runFolder, results.ManifestName)
		stops := map[bool]int{}
		for n := 1; ; n *= 4 { // later each time
			ctx, stop := context.WithCancel(background)
			left := n
			err := bent.Work(ctx, i, WorkOptions{Version: "v1", Progress: func(int) {
				if left--; left == 0 {
					stop()
				}
			}})
			stop()
			if err == nil {
				break
			}
			if s := bent.Status(i); !errors.Is(err, ErrRequeue) || s.State != Requeue || s.Exit != exitRequeue {
				t.Fatalf("%v, %+v", err, s)
			}
			_, err = os.Stat(ended)
			stops[err == nil]++
		}
		if stops[false] < 2 {
			t.Errorf("cell %d was stopped %d times while it was tuned", i, stops[false])
		}
	}
	for _, f := range []*Folder{straight, bent} {
		if _, err := f.Gather(background, "v1"); err != nil {
			t.Fatal(err)
		}
	}
	a, b := content(t, straight.Dir), content(t, bent.Dir)
	if len(a) != len(b) {
		t.Errorf("%d files and %d", len(a), len(b))
	}
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s differs", name)
		}
	}
	checkTuned(t, bent)
}

// checkTuned looks at the gathered tables.
func checkTuned(t *testing.T, f *Folder) {
	d, err := OpenData(f.Dir)
	if err != nil {
		t.Fatal(err)
	}
	evals, err := Rows[results.Eval](background, d)
	if err != nil || len(evals) != (1+3)*2+1*2 {
		t.Fatalf("%d rows of evals, %v", len(evals), err)
	}
	tuned := 0
	for _, r := range evals {
		if r.Agent == "" {
			if r.Cell != "seed=1" || !slices.Contains([]string{"fifo", "dally-manual",
				"dally-manual:t_rack=1,t_net=2"}, r.Policy) {
				t.Errorf("%s of cell %s has no agent", r.Policy, r.Cell)
			}
		} else {
			tuned++
			if !strings.HasPrefix(r.Policy, "dally-manual") ||
				!strings.Contains(r.Agent, "tuned by tpe with seed "+strings.TrimPrefix(r.Cell, "seed=")) {
				t.Errorf("%s has agent %q", r.Policy, r.Agent)
			}
		}
	}
	if tuned != 4 {
		t.Errorf("%d rows of the tuned, expected 2 seeds x 2 windows", tuned)
	}
	rows, err := Rows[results.Tune](background, d)
	if err != nil || len(rows) < 2*(1+10+2) || rows[0].Stage != "reference" || rows[0].Experiment != "tune" ||
		rows[0].Cell != "seed=1" || rows[len(rows)-1].Cell != "seed=2" {
		t.Errorf("%d rows of tune, %v", len(rows), err)
	}
}

// TestTuneFaults: all faults are reported at once, with its place, before anything runs.
func TestTuneFaults(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string
		want     []string
	}{
		"kind": {"kind: tune", "kind: simulate",
			[]string{`s.yaml:14:5: axis t_rack is optimised and kind is "simulate", expected kind tune`}},
		"range": {"from: 0.05, to: 20, log: true", "from: 0, to: -1, log: true, step: 3", []string{
			`s.yaml:15:44: unknown field "axes[0].optimise.step", expected one of from, int, log, to`}},
		"ends": {"from: 0.05, to: 20", "from: 20, to: 0.05", []string{"s.yaml:14:5: axis t_rack: parameter " +
			"t_rack: bounds 20:0.05, expected two finite numbers, the smaller one first"}},
		"text": {"{from: 0.05, to: 20, log: true}", "0.05:20:lg",
			[]string{`s.yaml:14:5: axis t_rack: parameter t_rack: kind "lg", expected log, int or logint`}},
		"required": {"from: 0.05, to: 20", "from: 0.05", []string{"s.yaml:15:15: axes[0].optimise.to is missing, " +
			"expected a finite number"}},
		"twice": {"name: t_rack", "name: t_net", []string{"s.yaml:14:5: axis t_net is optimised and params has " +
			"t_net, expected it in one place"}},
		"params": {`{t_net: "0.05:40:log", order: [network, fifo]}`, "t_net=1:2",
			[]string{`s.yaml:14:5: params is "t_net=1:2", expected name: range for axis t_rack`}},
		"unknown": {"name: t_rack", "name: t_rak",
			[]string{`s.yaml:15:5: policy dally-manual has no parameter "t_rak", expected one of `,
				`did you mean "t_rack"?`}},
		"settings": {"budget: 10\n  windows: 2", "budget: none\n  widows: 2",
			[]string{`s.yaml:8:3: budget is "none", expected a whole number in 1..1000000`,
				`s.yaml:9:3: unknown field "widows", expected one of against, budget, candidates, cost, env, evaluate, metric, optimiser, params, parquet_codec, policy, validation, windows; did you mean "windows"?`}},
		"values": {"0.05:40:log\", order: [network, fifo]", "5:4\", order: [network, {a: b}], odr: 1:2",
			[]string{"s.yaml:7:43: params.order[1] is a mapping, expected text",
				"s.yaml:7:12: parameter t_net", `s.yaml:7:52: policy dally-manual has no parameter "odr"`}},
		"many": {"validation: 2", "validation: 9", []string{"s.yaml:10:3: 9 windows of validation, expected at " +
			"most 8: that is what the environment has"}},
		"evaluate": {"baselines_once: true, windows: 2", "which: last, baselines_once: 1",
			[]string{"s.yaml:12:78: unknown field \"evaluate.which\", expected one of baselines, baselines_once, " +
				"bounds, set, trace, trials, windows",
				`s.yaml:12:91: evaluate.baselines_once is "1", expected true or false`}},
		"optimiser": {"optimiser: tpe", "optimiser: tpee", []string{`s.yaml:6:3: optimiser "tpee": unknown`}},
	} {
		text := strings.Replace(tuneText, c.old, c.new, 1)
		if text == tuneText {
			t.Fatalf("%s changes nothing", name)
		}
		s, err := parse(t, text)
		if err == nil {
			var cells []Cell
			if cells, err = s.Cells(shipped.All()); err == nil {
				err = s.Check(shipped.All(), cells)
			}
		}
		for _, want := range c.want {
			if err == nil || strings.Count(err.Error(), want) != 1 {
				t.Errorf("%s gives\n%v\nexpected once: %s", name, err, want)
			}
		}
	}
}

// What a sweep costs is known before: the reference, what ratios are relative to and each point on
// the windows of training, then the candidates.
func TestTuneCost(t *testing.T) {
	s, err := parse(t, tuneText)
	if err != nil {
		t.Fatal(err)
	}
	cost, err := s.costOf()
	const simulations = 2 * ((2+10)*2 + (2+2)*2)
	if err != nil || cost.Cells != 2 || cost.Jobs == 0 || cost.Jobs%simulations != 0 || cost.GPUs != 16 ||
		cost.Loaded != cost.Jobs/simulations*4 || cost.Learn {
		t.Errorf("got %+v, %v", cost, err)
	}
}

// A list on the command line keeps the settings of its schedulers.
func TestOverrideKeepsSpecs(t *testing.T) {
	s, err := parse(t, tuneText)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Override([]string{"evaluate.baselines=[dally-manual:t_rack=1,t_net=2, fifo]"}); err != nil {
		t.Fatal(err)
	}
	if got := s.Base["evaluate"].(map[string]any)["baselines"].([]any); !slices.Equal(got,
		[]any{"dally-manual:t_rack=1,t_net=2", "fifo"}) {
		t.Errorf("got %q", got)
	}
}
