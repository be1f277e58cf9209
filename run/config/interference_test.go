package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
)

// Jobs that do not share run as without interference to the last bit, under coupled and other speed
// models; none is what is not given.
func TestInterferenceOfNobody(t *testing.T) {
	for _, speed := range []string{"collective", "contended", "tiers"} {
		c := Default()
		c.Trace, c.Cluster, c.Speed, c.Policies = "synth:demo,jobs=60,load=1.2", "ethernet:2x2x8", speed,
			[]string{"dally", "las"}
		c.Variability, c.Efficiency = "drawn:sigma=0.1", "measured"
		want, _ := rowOf(t, c)
		for _, law := range []string{"none", "nway", "slices", "mps", "horus", "priority", "crossover"} {
			c.Interference = law
			if got, _ := rowOf(t, c); got != want {
				t.Errorf("%s, %s: %s\nwithout: %s", speed, law, got, want)
			}
		}
	}
}

// Jobs that share run otherwise: slower under a law that costs more, and otherwise where a profile
// states how busy they are.
func TestInterferenceOfSharers(t *testing.T) {
	c := Default()
	c.Trace, c.Cluster, c.Policies = "synth:demo,jobs=60,load=2", "1x1x8", []string{"gavel:packing=true,pair_min=0"}
	rows := map[string]string{}
	for _, set := range [][2]string{{"none", ""}, {"nway:a=0.1", ""}, {"nway:a=0.1", "catalogue"}, {"nway:a=0.5", ""},
		{"horus", "none"}} {
		c.Interference, c.GPUProfile = set[0], set[1]
		row, _ := rowOf(t, c)
		for other, old := range rows {
			if old == row {
				t.Errorf("%v runs as %s", set, other)
			}
		}
		rows[set[0]+" "+set[1]] = row
	}
}

// The profile is in the resolved configuration with its file, and its faults have a place; runs
// without laws that read it are as without, but for what is stated of jobs.
func TestGPUProfileSpellings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "profile.csv")
	if err := os.WriteFile(path, []byte("model,gpus,gpu_util_frac,gpu_mem_mib\n*,0,0.5,6000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := Default()
	c.Trace, c.Policies, c.GPUProfile = "synth:demo,jobs=20", []string{"fifo"}, path
	s, err := Build(c, simulation.All())
	if err != nil {
		t.Fatal(err)
	}
	if got := s.BaseJSON(); !strings.Contains(got, `"gpu_profile":"`+path+`"`) || len(s.Files) != 1 ||
		s.Files[0].Path != path {
		t.Errorf("%s, files %v", got, s.Files)
	}
	c.GPUProfile = "nowhere.csv"
	c.Mark("gpu_profile", "--gpu-profile")
	if _, err := Build(c, simulation.All()); err == nil || !strings.Contains(err.Error(),
		`--gpu-profile: gpu_profile "nowhere.csv", expected none, catalogue or FILE.csv`) {
		t.Error(err)
	}
}

// The setting is in the resolved configuration with its files, none is not; its faults have a
// place; models with a law of their own refuse it.
func TestInterferenceSpellings(t *testing.T) {
	put := func(t *testing.T, name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	c := Default()
	c.Trace, c.Policies = "synth:demo", []string{"fifo"}
	pairs := put(t, "pairs.csv", "model_a,model_b,gpus,keep_a,keep_b\na,b,0,0.5,0.6\n")
	for text, want := range map[string]string{"nway:a=0.2": `"interference":"nway:a=0.2"`, "none": "", "": "",
		"pairs:" + pairs: pairs} {
		c.Interference = text
		s, err := Build(c, simulation.All())
		if err != nil {
			t.Fatal(err)
		}
		got := s.BaseJSON()
		if want == "" && strings.Contains(got, "interference") || !strings.Contains(got, want) {
			t.Errorf("%q: %s", text, got)
		}
		if text == "pairs:"+pairs && (len(s.Files) != 1 || s.Files[0].Path != pairs) {
			t.Errorf("files %v", s.Files)
		}
	}
	c.Interference = ""
	if err := c.ReadFile(put(t, "run.yaml", "interference: nway:a=y,b=1\n")); err != nil {
		t.Fatal(err)
	}
	_, err := Build(c, simulation.All())
	for _, want := range []string{`run.yaml:1:1: `, `a is "y"`, `unknown key "b"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
	c.Interference = "nway"
	for speed, refused := range map[string]bool{"gavel:a": true, "muri:a": true, "collective": false,
		"deepshare:a": false} {
		c.Speed = speed
		_, err := Build(c, simulation.All())
		if got := err != nil && strings.Contains(err.Error(), "has its own rule for jobs on one GPU"); got != refused {
			t.Errorf("%s: %v, expected a refusal: %v", speed, err, refused)
		}
	}
}
