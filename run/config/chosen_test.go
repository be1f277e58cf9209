package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
)

// Of jobs that are drawn the predictor is chosen on draws of its own: each policy has the choice under
// itself, in the configuration of its trials, in the manifest and in a note, and the choice of a
// policy is the same beside others.
func TestAutoOfDrawnJobs(t *testing.T) {
	build := func(replicates int, policies ...string) *Setup {
		c := Default()
		c.Trace, c.Cluster, c.Speed, c.Predict, c.Replicates = "synth:recur,jobs=200", "1x4x4", "counting",
			"auto:of=global+ridge", replicates
		c.Policies = policies
		s, err := Build(c, simulation.All())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	both, one := build(2, "sjf:by=estimate", "gittins"), build(1, "gittins")
	for _, text := range []string{both.JSON(1, 0), both.BaseJSON(), one.JSON(0, 0)} {
		if !strings.Contains(text, `"policy":"gittins","windows":4,"jobs":800,"candidates":[{"predictor":"global"`) {
			t.Errorf("%s\nexpected the choice under gittins", text)
		}
	}
	if a, b := both.choices[1], one.choices[0]; a.String() != b.String() || a.String() == both.choices[0].String() {
		t.Errorf("gittins has %v beside another, %v alone; sjf %v", a, b, both.choices[0])
	}
	noted := 0
	for _, n := range both.Notes {
		if strings.HasPrefix(n, "predict: auto is ") {
			noted++
		}
	}
	trials := both.Trials()
	if noted != 2 || len(trials) != 4 {
		t.Fatalf("%d notes of %d trials", noted, len(trials))
	}
	for i, at := range trials {
		if want := "auto:of=global+ridge, chosen " + both.choices[i/2].Predictor; at.PredictorName != want ||
			at.Predictor == nil {
			t.Errorf("trial %d has %q, expected %q", i, at.PredictorName, want)
		}
	}
	j := &trials[2].Workload.Jobs[7]
	a, b := trials[2].Predictor.Clone().Predict(7, j), one.Trials()[0].Predictor.Clone().Predict(7, j)
	if a.Median() != b.Median() || a.Sigma() != b.Sigma() || a.Median() == 3600 {
		t.Errorf("%v s beside another policy, %v s alone", a.Median(), b.Median())
	}
}

// A check chooses nothing; a trace without parts is refused there, too.
func TestAutoUnchosen(t *testing.T) {
	c := Default()
	c.Trace, c.Cluster, c.Speed, c.Predict, c.Unchosen = "synth:recur,jobs=200", "1x4x4", "counting", "auto", true
	c.Policies = []string{"gittins"}
	s, err := Build(c, simulation.All())
	if err != nil || s.choices != nil || s.Runs[0].Predictor != nil || s.Runs[0].Chosen != nil {
		t.Errorf("%v: a check has chosen", err)
	}
	csv := filepath.Join(t.TempDir(), "jobs.csv")
	if err := os.WriteFile(csv, []byte("id,submit_s,gpus,work_s\na,0,1,9\nb,1,1,9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Trace = "csv:" + csv
	if _, err := Build(c, simulation.All()); err == nil || !strings.Contains(err.Error(), "--cuts part=test") {
		t.Errorf("%v, expected that there is no part to choose on", err)
	}
}
