package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/output/results"
)

// learnText is a learn sweep of one cell.
const learnText = `name: learn
kind: learn
base:
  env: tarry/DelayTimer-v0:cluster=1x2x4,load=0.9,windows=12,warm=2,horizon=6
  total_steps: 128
  steps: 16
  envs: 2
  epochs: 1
  hidden: [8, 8]
  validate_every: 0
  validate_episodes: 1
  checkpoint_every: 1
  evaluate: {baselines: [fifo], windows: 2}
`

// TestLearnStopped: a learn cell that is stopped while it trains, and again while it is measured,
// leaves the bytes of one that was not.
func TestLearnStopped(t *testing.T) {
	straight := planIn(t, filepath.Join(t.TempDir(), "s"), learnText)
	runAll(t, straight)
	bent := planIn(t, filepath.Join(t.TempDir(), "s"), learnText)
	trained := filepath.Join(bent.CellDir(0), runFolder, results.ManifestName)
	for _, when := range []string{"training", "measuring"} {
		ctx, stop := context.WithCancel(background)
		err := bent.Work(ctx, 0, WorkOptions{Version: "v1", Progress: func(int) {
			if _, err := os.Stat(trained); when == "training" || err == nil {
				stop()
			}
		}})
		stop()
		if s := bent.Status(0); !errors.Is(err, ErrRequeue) || s.State != Requeue || s.Exit != exitRequeue {
			t.Fatalf("stopped while %s: %v, %+v", when, err, s)
		}
		if _, err := os.Stat(trained); (err == nil) != (when == "measuring") {
			t.Fatalf("stopped while %s, and the manifest of the training: %v", when, err)
		}
	}
	runAll(t, bent)
	if s := bent.Status(0); s.State != Done || s.Attempts != 3 {
		t.Errorf("got %+v", s)
	}
	for _, f := range []*Folder{straight, bent} {
		if _, err := f.Gather(background, "v1"); err != nil {
			t.Fatal(err)
		}
	}
	a, b := content(t, straight.Dir), content(t, bent.Dir)
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s differs", name)
		}
	}
	d, err := OpenData(bent.Dir)
	if err != nil {
		t.Fatal(err)
	}
	evals, err := Rows[results.Eval](background, d)
	if err != nil || len(evals) != 6 || !slices.ContainsFunc(evals,
		func(r results.Eval) bool { return r.Policy == "untrained:ppo" }) || evals[0].Cell != "seed=1" {
		t.Errorf("%d rows, %v", len(evals), err)
	}
	curves, err := Rows[results.Curve](background, d)
	if err != nil || len(curves) != 4 || curves[3].Cell != "seed=1" || curves[0].Experiment != "learn" {
		t.Errorf("%d rows of curves, %v", len(curves), err)
	}
}

// TestLean: without the tables of trials the rows of the evaluation are the same.
func TestLean(t *testing.T) {
	var all [2][]results.Eval
	for i, more := range []string{"", ", trials: false"} {
		f := planIn(t, filepath.Join(t.TempDir(), "s"), strings.Replace(learnText, "windows: 2", "windows: 2"+more, 1))
		runAll(t, f)
		if _, err := f.Gather(background, "v1"); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"trials", "jobs", filepath.Join(cellsFolder, "seed=1", "intervals")} {
			if _, err := os.Stat(filepath.Join(f.Dir, table)); (err == nil) != (more == "") {
				t.Errorf("with %q: %s: %v", more, table, err)
			}
		}
		d, err := OpenData(f.Dir)
		if err != nil {
			t.Fatal(err)
		}
		if all[i], err = Rows[results.Eval](background, d); err != nil || len(all[i]) != 6 {
			t.Fatalf("%d rows, %v", len(all[i]), err)
		}
	}
	if fmt.Sprint(all[0]) != fmt.Sprint(all[1]) { // NaN is unequal to itself
		t.Errorf("%v\nand lean %v", all[0], all[1])
	}
}

// TestLearnFaults: settings of agents and of the evaluation are checked before anything runs.
func TestLearnFaults(t *testing.T) {
	s, err := parse(t, strings.Replace(strings.Replace(learnText, "epochs: 1", "epochz: 1", 1),
		"baselines: [fifo], windows: 2", "baselines: [fido], widows: 2, bounds: [membr]", 1))
	if err != nil {
		t.Fatal(err)
	}
	cells, err := s.Cells(shipped.All())
	if err != nil {
		t.Fatal(err)
	}
	err = s.Check(shipped.All(), cells)
	for _, want := range []string{"s.yaml:8:3: ", "epochz", `s.yaml:13:14: evaluate.baselines name one that is wrong: `, "fido",
		`evaluate.bounds is "membr", expected true, false or some of best-shape, static-timers, clairvoyant, ` +
			`rollout, member, turns, rule, answers; did you mean "member"?`,
		`s.yaml:13:33: unknown field "evaluate.widows", expected one of baselines, baselines_once, bounds, draw, set, trace, trials, untrained, which, windows; did you mean "windows"?`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	cost, err := (&Spec{Name: "x", Kind: "learn", Base: Settings{"env": "classic/CartPole-v1", "total_steps": 4096,
		"steps": 128, "envs": 4}}).costOf()
	if err != nil || cost.Steps != 4096 || !cost.Learn {
		t.Errorf("got %+v, %v", cost, err)
	}
}

// costOf spells out and adds up.
func (s *Spec) costOf() (Cost, error) {
	cells, err := s.Cells(shipped.All())
	if err != nil {
		return Cost{}, err
	}
	return s.Cost(shipped.All(), cells)
}
