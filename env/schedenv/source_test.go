package schedenv

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env/scenario"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/traces/csvfmt"
	"tarry/traces/synth"
)

// No job is in two windows, whatever their parts.
func TestWindowsAreDisjoint(t *testing.T) {
	law, err := synth.Parse("poisson:jobs=400,gpus=64")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := synth.Generate(law, rng.Source{Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	_, last := whole.Span()
	recorded, err := scenario.NewRecorded(whole, [3]float64{3, 1, 1}, last/50, last/20)
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range map[string]Source{"recorded": recorded,
		"synthetic": scenario.Synthetic{Config: law, Seed: 1, Count: 3}} {
		seen := map[string]string{}
		for _, p := range []Part{Train, Validation, Test} {
			if src.Windows(p) < 2 {
				t.Errorf("%s: %d windows in part %s, expected more", name, src.Windows(p), p)
			}
			for i := range src.Windows(p) {
				w, err := src.Window(p, i)
				if err != nil {
					t.Fatal(err)
				}
				if again, err := src.Window(p, i); err != nil || again.Hash() != w.Hash() {
					t.Errorf("%s: %s %d is not the same twice (%v)", name, p, i, err)
				}
				here := fmt.Sprint(p, i)
				for _, j := range w.Jobs {
					key := j.ID
					if name == "synthetic" { // ids are numbers: the draws distinguish jobs
						key = fmt.Sprint(j.Work, j.Submit)
					}
					if other, dup := seen[key]; dup {
						t.Fatalf("%s: job %s is in windows %s and %s", name, key, other, here)
					}
					seen[key] = here
				}
			}
		}
	}
}

func TestRecordedNeedsRoom(t *testing.T) {
	w, err := sim.NewWorkload("w", []sim.Job{{ID: "a", GPUs: 1, Work: 1}, {ID: "b", GPUs: 1, Work: 1, Submit: 100},
		{ID: "c", GPUs: 1, Work: 1, Submit: 200}})
	if err != nil {
		t.Fatal(err)
	}
	for _, length := range []sim.Time{0, -1, 500} {
		if _, err := scenario.NewRecorded(w, [3]float64{1, 1, 1}, 0, length); err == nil {
			t.Errorf("windows of %v were cut out of 200us", length)
		}
	}
}

// An environment of one part has no way to the windows of another.
func TestPartIsFixedAtTheStart(t *testing.T) {
	train, test := timidEnv(t, brief+"warm=0,horizon=20"), timidEnv(t, brief+"warm=0,horizon=20,part=test")
	seed := uint64(1)
	for _, options := range []string{"part=test", "window=5", "window=-1", "seed=1"} {
		if _, _, err := train.Reset(&seed, options); err == nil {
			t.Errorf("reset with %q was accepted", options)
		}
	}
	for i := range 5 {
		window := fmt.Sprint("window=", i)
		if _, _, err := train.Reset(&seed, window); err != nil {
			t.Fatal(err)
		}
		a := train.Workload()
		if _, _, err := test.Reset(&seed, window); err != nil {
			t.Fatal(err)
		}
		if b := test.Workload(); a[0] == b[0] {
			t.Errorf("window %d has the same first job in both parts", i)
		}
	}
}

// A wrong setting is named, all of them at once.
func TestReadReportsEveryFault(t *testing.T) {
	s := param.Parse("env", "cluster=9y,reward=jtc,part=tests,gamma=2,workload=nope,warm=-1,blub=1")
	Read(s, simulation.All())
	err := s.Err()
	for _, want := range []string{"cluster \"9y\"", "jtc", "tests", "gamma", "warm", "blub"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not mention %s", err, want)
		}
	}
	var c Config
	err = c.Validate()
	for _, want := range []string{"reward", "topology", "speed", "source", "part", "lease", "gamma"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not mention %s", err, want)
		}
	}
}

// An environment over a trace draws its windows from its own part of it.
func TestTraceSetting(t *testing.T) {
	law, err := synth.Parse("poisson:jobs=500,gpus=32")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := synth.Generate(law, rng.Source{Seed: 6})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "jobs.csv")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(csvfmt.Write(out, whole), out.Close()); err != nil {
		t.Fatal(err)
	}
	const settings = "cluster=2x2x8,warm=4,horizon=10,gap=5"
	_, last := whole.Span()
	for part, bounds := range map[Part][2]float64{Train: {0, 0.7}, Validation: {0.7, 0.85}, Test: {0.85, 1}} {
		e := timidEnv(t, settings+",trace="+path+",part="+string(part))
		if e.Config().Source.Windows(part) < 1 {
			t.Errorf("part %s has no window", part)
		}
		for seed := range uint64(5) {
			if _, _, err := e.Reset(&seed, ""); err != nil {
				t.Fatal(err)
			}
			for _, j := range e.Workload() {
				i := slices.IndexFunc(whole.Jobs, func(k sim.Job) bool { return k.ID == j.ID })
				if at := float64(whole.Jobs[i].Submit) / float64(last); at < bounds[0] || at > bounds[1] {
					t.Fatalf("part %s has job %s submitted at %v of the trace, expected %v", part, j.ID, at, bounds)
				}
			}
		}
	}
	for _, wrong := range []string{"horizon=0,trace=" + path, "horizon=9999,trace=" + path, "trace=" + path + "x"} {
		s := param.Parse("env", wrong)
		if Read(s, simulation.All()); s.Err() == nil {
			t.Errorf("%s was accepted", wrong)
		}
	}
}
