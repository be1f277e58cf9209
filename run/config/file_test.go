package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFromSettings: settings mean what a file of theirs means, and faults name the place they came
// from.
func TestFromSettings(t *testing.T) {
	place := func(key string) string { return map[string]string{"replicates": "sweep.yaml:7"}[key] }
	f := FromSettings("cell a=1", map[string]any{"trace": "synth:demo", "replicates": "3",
		"policies": []any{"fifo", "dally:lease=60"},
		"costs":    map[string]any{"restore_s": "5"}, "strict": "true"}, place)
	c := Default()
	if err := f.Apply(&c); err != nil {
		t.Fatal(err)
	}
	if c.Trace != "synth:demo" || c.Replicates != 3 || !slices.Equal(c.Policies, []string{"fifo", "dally:lease=60"}) ||
		!c.Strict || c.Costs.Restore.FixedS != 5 {
		t.Errorf("got %+v", c)
	}
	f = FromSettings("cell a=1", map[string]any{"replicates": "many", "tracy": "x"}, place)
	err := f.Apply(&c)
	if err == nil ||
		!strings.Contains(err.Error(), `sweep.yaml:7: replicates is "many", expected a whole number in 1..1000000`) ||
		!strings.Contains(err.Error(), `cell a=1: unknown field "tracy"`) {
		t.Errorf("got %v", err)
	}
}

// TestFields: every field of a file is listed.
func TestFields(t *testing.T) {
	got := Fields()
	for _, want := range []string{"trace", "policy", "policies", "costs", "faults", "cluster", "seed", "out"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not in %v", want, got)
		}
	}
}

// What a file lacks is reported with the file's name.
func TestWhatAFileLacks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.yaml")
	for text, want := range map[string]string{
		"trace: synth:demo\n": "run.yaml:1:1: no policy, expected at least one: --policy NAME or NAME:key=value,...",
		"policy: fifo\n":      "run.yaml:1:1: no trace, expected --trace FORMAT:PATH or synth:NAME",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := Default()
		if err := f.Apply(&c); err != nil {
			t.Fatal(err)
		}
		if _, err := Build(c, fewPolicies()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
