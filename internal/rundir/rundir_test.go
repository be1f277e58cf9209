package rundir

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestMembers: folders of every kind are found by what is in them, in the order of their numbers,
// not below one another and not in hidden folders.
func TestMembers(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"agent/10/curves/x", "agent/2/checkpoints/last.ckpt", "agent/2/curves/x",
		"a/b/c/tune/x", "a/b/c/d/tune/x", "s/sweep.json", "s/cells/x/run/curves/x",
		"v/trials/policy=a/x", "w/evals/part-0.parquet", "evals/of/evals/a.parquet", "letters/evals/x.txt",
		"names/tune/config.json", "names/tune/tune/x",
		".hidden/curves/x", "_old/curves/x", "deep/er/than/three/curves/x",
		"letters/a.txt"} {
		write(t, filepath.Join(dir, f), "")
	}
	got, err := Members(dir)
	var names []string
	for _, m := range got {
		if m.Dir != filepath.Join(dir, m.Name) {
			t.Errorf("%s lies in %s", m.Name, m.Dir)
		}
		names = append(names, m.Name+" "+string(m.Kind))
	}
	if want := []string{"a/b/c tune", "agent/2 train", "agent/10 train", "evals/of trials",
		"names/tune tune", "s sweep", "v trials", "w trials"}; err != nil ||
		!slices.Equal(names, want) {
		t.Errorf("%q, %v, want %q", names, err, want)
	}
	if k := KindOf(dir); k != "" {
		t.Errorf("the folder around them is of kind %q", k)
	}
	if _, err := Members(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there has members")
	}
}

// TestNatural: numbers in names are numbers.
func TestNatural(t *testing.T) {
	names := []string{"seed-10", "seed-9", "seed-009", "a", "seed-9-x", "10", "2"}
	slices.SortStableFunc(names, natural)
	if want := []string{"2", "10", "a", "seed-9", "seed-009", "seed-9-x", "seed-10"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

func TestSettings(t *testing.T) {
	dir := t.TempDir()
	if got, err := Settings(dir); len(got) > 0 || err != nil {
		t.Errorf("without a file: %v, %v", got, err)
	}
	file := filepath.Join(dir, "config.json")
	write(t, file,
		`{"agent": "ppo", "seed": 1, "hyperparameters": {"hidden": [64, 64], "anneal": true, "none": null, "deep": {"er": "x\u0000"}}}`)
	got, err := Settings(dir)
	want := map[string]string{"agent": `"ppo"`, "seed": "1", "hyperparameters.hidden": "[64,64]",
		"hyperparameters.anneal": "true", "hyperparameters.none": "null", "hyperparameters.deep.er": `"x\u0000"`}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "[]", "{", `{"a": }`} {
		write(t, file, bad)
		if _, err := Settings(dir); err == nil || !strings.HasPrefix(err.Error(), file+": ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
