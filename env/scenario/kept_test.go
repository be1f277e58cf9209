package scenario_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env/scenario"
	"tarry/sim/setting"
)

// TestKeptScenarios: a scenario is built once as long as it states the same, wherever that was
// written; what differs, reads files or has settings of Extend is built each time.
func TestKeptScenarios(t *testing.T) {
	kept := &scenario.Kept{From: simulation.All(), Most: 2}
	build := func(change func(c *scenario.Scenario)) *scenario.Setup {
		t.Helper()
		c := scenario.Default()
		c.Trace = "synth:demo"
		change(&c)
		s, err := kept.Build(&c)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	plain := func(*scenario.Scenario) {}
	small := func(c *scenario.Scenario) { c.Cluster = "2x2x8" }
	first := build(plain)
	if again := build(plain); again.Topology != first.Topology {
		t.Error("the same scenario was built twice")
	}
	if other := build(small); other.Topology == first.Topology || other.Topology.GPUs() != 32 {
		t.Errorf("another cluster has %d GPUs, expected 32", other.Topology.GPUs())
	}
	if again := build(func(c *scenario.Scenario) { c.Mark("cluster", "") }); again.Topology == first.Topology {
		t.Error("a cluster that is given is the same as one that is not")
	}
	here := build(func(c *scenario.Scenario) { small(c); c.Mark("cluster", "here") })
	there := build(func(c *scenario.Scenario) { small(c); c.Mark("cluster", "there") })
	if here.Topology != there.Topology || here.Scenario.At("cluster") != "here: " ||
		there.Scenario.At("cluster") != "there: " {
		t.Errorf("places %q and %q, expected here and there, and one topology", here.Scenario.At("cluster"),
			there.Scenario.At("cluster"))
	}
	if again := build(plain); again.Topology == first.Topology {
		t.Error("more than two scenarios are kept")
	}
	extended := func(c *scenario.Scenario) {
		c.Extend(setting.Row{Key: "own", Doc: "own", To: new(int), Show: func() string { return "" }})
	}
	if a, b := build(extended), build(extended); a.Topology == b.Topology {
		t.Error("settings of Extend are taken for the same")
	}
	choosing := func(c *scenario.Scenario) { c.Predict = "auto" }
	if a, b := build(choosing), build(choosing); a.Topology == b.Topology {
		t.Error("a scenario that chooses its predictor is kept")
	}
	file := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(file, []byte("racks: [{count: 1, machines: [{count: 2, gpus: 4}]}]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ofFile := func(c *scenario.Scenario) { c.Cluster = file }
	if a, b := build(ofFile), build(ofFile); a.Topology == b.Topology {
		t.Error("a cluster's file was read once")
	}
}

// TestKeptNotes: what one caller adds to the notes, no other sees.
func TestKeptNotes(t *testing.T) {
	kept := &scenario.Kept{From: simulation.All(), Most: 1}
	c := scenario.Default()
	c.Cluster, c.Speed = "fast:1x2x4+slow:1x2x4", "counting"
	a, err := kept.Build(&c)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(a.Notes)
	a.Notes = append(a.Notes, "mine")
	b, err := kept.Build(&c)
	if err != nil || !slices.Equal(b.Notes, want) {
		t.Errorf("%v, notes %q, expected %q", err, b.Notes, want)
	}
	b.Notes = append(b.Notes, "yours")
	if a.Notes[len(a.Notes)-1] != "mine" {
		t.Errorf("notes %q", a.Notes)
	}
}
