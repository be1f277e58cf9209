package order

import (
	"os"
	"strings"
	"testing"

	"tarry/baselines/score"
	"tarry/catalogue/envs"
	"tarry/catalogue/simulation"
	"tarry/catalogue/traces"
	"tarry/env"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
	"tarry/sim/param"
)

// Every setting has the windows that searching, validation and measuring ask for.
func TestSettingsHaveWindows(t *testing.T) {
	t.Chdir("../..")
	for _, s := range elsewhere() {
		path := param.Parse("", s.options).Text("trace", "")
		if _, file := scenario.TraceFile(traces.All(), path); path != "" {
			if _, err := os.Stat(file); err != nil {
				t.Logf("%s is left out, its jobs are not there (tarry reproduce order --data): %v", s.name, err)
				continue
			}
		}
		e, err := envs.All().Make(simulation.All(), orders+":"+s.fields(predictor))
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		on, ok := env.Find[*schedenv.Env](e)
		if !ok {
			t.Fatalf("%s is no environment of a cluster", s.name)
		}
		validation := validations
		if s.heavy {
			validation = 16
		}
		for p, least := range map[schedenv.Part]int{schedenv.Train: 16, schedenv.Validation: validation,
			schedenv.Test: s.windows} {
			if n := on.Config().Source.Windows(p); n < least {
				t.Errorf("%s has %d windows of part %s, expected at least %d", s.name, n, p, least)
			}
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The rules together have more simulated windows than one training, as rules.go states.
func TestBudgets(t *testing.T) {
	points := 0
	for _, r := range rules() {
		points += r.points
	}
	for _, l := range learners() {
		if spent := l.generations * l.population * l.windows; spent != 8192 || points*16 < spent {
			t.Errorf("%s plays %d windows, the rules %d", l.name, spent, points*16)
		}
	}
}

// Variants leave out what their names say.
func TestVariants(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range variants() {
		on := c.Set["env"].(string)
		if seen[on] {
			t.Errorf("%s has the environment of another variant, %s", c.Name, on)
		}
		seen[on] = true
	}
	if got := without("rank2"); strings.Contains(got, "rank2") || strings.Count(got, "+") != len(score.TermNames())-2 {
		t.Errorf("all but rank2 are %q", got)
	}
}

// Sweeps at all scales have names of their own, and tiny and small need no file.
func TestSpecs(t *testing.T) {
	for _, scale := range sweep.Scales() {
		seen := map[string]bool{}
		for _, s := range specs(scale) {
			if seen[s.Name] {
				t.Errorf("%s: two sweeps are called %s", scale, s.Name)
			}
			seen[s.Name] = true
			for _, a := range s.Axes {
				for _, c := range a.Cases {
					if on, _ := c.Set["env"].(string); scale != sweep.Full && strings.Contains(on, "trace=") {
						t.Errorf("%s: %s %s=%s needs a file", scale, s.Name, a.Name, c.Name)
					}
				}
			}
		}
	}
}

func TestWeightTable(t *testing.T) {
	text := "batch,1,gpus,0.5\nbatch,2,gpus,0.7\nweek,1,gpus,-0.1\nweek,2,gpus,0.1\nbatch,1,age,-1\nbatch,2,age,1\n" +
		"week,1,age,-1\nweek,2,age,1\n"
	want := "| weight | batch | week |\n|---|---:|---:|\n"
	got := weightTable(text)
	if !strings.HasPrefix(got, want) || strings.Contains(got, "age") {
		t.Errorf("%s", got)
	}
	if weightTable("") != "" {
		t.Error("a table without weights")
	}
}

// Shares of users and of jobs, by hand: one window has two users, of whom one gains and one loses.
func TestPayers(t *testing.T) {
	j := &jobTable{policies: []string{"order-linear"}, windows: 2, pairs: []jobPair{
		{window: 0, user: "a", gpus: 1, workS: 60, jct: 50, dallyS: 100},
		{window: 0, user: "b", gpus: 16, workS: 7200, jct: 120, dallyS: 100},
		{window: 1, user: "a", gpus: 1, workS: 60, jct: 50, dallyS: 100},
		{window: 1, user: "b", gpus: 16, workS: 7200, jct: 120, dallyS: 100},
	}}
	if got := j.users(); !strings.Contains(got, "| order-linear | 2 | 50 [50, 50] | 50 [50, 50] | -15.0 |") {
		t.Errorf("%s", got)
	}
	got := j.classes("GPUs", gpuClasses(), func(q *jobPair) int { return gpuClass(q.gpus) })
	for _, want := range []string{"| 1 | 50 | -50.0 [-50.0, -50.0] |", "| more | 50 | 20.0 [20.0, 20.0] |",
		"| 5 to 8 | 0 | - |"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nhas no %s", got, want)
		}
	}
}

func TestNameOf(t *testing.T) {
	c := &sweep.Cell{Axes: map[string]string{"learner": "rule"}}
	if got := nameOf(c, &rows.Eval{Agent: "x"}); got != "rule" {
		t.Errorf("%q", got)
	}
	if got := nameOf(c, &rows.Eval{Keys: rows.Keys{Policy: "dally"}}); got != "dally" {
		t.Errorf("%q", got)
	}
}
