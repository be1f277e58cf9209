package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
)

// Rigid jobs run as without efficiency to the last bit, under coupled and other speed models;
// elastic ones that grow do not.
func TestEfficiencyAtTheOwnBatch(t *testing.T) {
	for _, speed := range []string{"collective", "contended", "tiers"} {
		c := Default()
		c.Trace, c.Cluster, c.Speed, c.Policies = "synth:demo,jobs=60,load=1.2", "ethernet:2x2x8", speed,
			[]string{"dally", "las", "heet-like"}
		c.Variability = "drawn:sigma=0.1"
		want, _ := rowOf(t, c)
		c.Efficiency = "measured"
		if got, _ := rowOf(t, c); got != want {
			t.Errorf("%s: %s\nwithout: %s", speed, got, want)
		}
		c.Elastic, c.Policies = "min=1,max=4x", []string{"heet-like"}
		c.Efficiency = ""
		fast, _ := rowOf(t, c)
		for _, law := range []string{"measured", "noise=4x,scaling=strong"} {
			c.Efficiency = law
			if slow, _ := rowOf(t, c); slow == fast {
				t.Errorf("%s: elastic jobs with %s run as without", speed, law)
			}
		}
		c.Efficiency = "noise=inf,max=1000x"
		if same, _ := rowOf(t, c); same != fast {
			t.Errorf("%s: without noise elastic jobs run otherwise", speed)
		}
	}
}

// The law is read as text, as a mapping and key by key; it is in the resolved configuration, and
// its faults have a place.
func TestEfficiencySpellings(t *testing.T) {
	put := func(t *testing.T, text string) string {
		path := filepath.Join(t.TempDir(), "run.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	c := Default()
	c.Trace, c.Policies = "synth:demo", []string{"fifo"}
	if err := c.ReadFile(put(t, "efficiency: {noise: 8x, growth: 4}\n")); err != nil ||
		c.Efficiency != "noise=8x,growth=4" {
		t.Errorf("%q, %v", c.Efficiency, err)
	}
	s, err := Build(c, simulation.All())
	if err != nil {
		t.Fatal(err)
	}
	if got := s.BaseJSON(); !strings.Contains(got, `"efficiency":"noise=8x,growth=4"`) {
		t.Error(got)
	}
	if err := c.ReadFile(put(t, "efficiency: noise=y\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(c, simulation.All()); err == nil || !strings.Contains(err.Error(),
		`run.yaml:1:1: efficiency: noise is "y"`) {
		t.Error(err)
	}
	c.Efficiency = "measured"
	for speed, refused := range map[string]bool{"pollux:a": true, "shockwave:a": true, "collective": false} {
		c.Speed = speed
		_, err := Build(c, simulation.All())
		if got := err != nil && strings.Contains(err.Error(), "counts already the progress of samples"); got != refused {
			t.Errorf("%s: %v, expected a refusal: %v", speed, err, refused)
		}
	}
}
