package config

import (
	"os"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
)

func TestHistoryOfAFile(t *testing.T) {
	path := write(t, "sample.csv", "gpu_s\n7200\n60.5\n")
	c := base()
	c.History, c.Replicates = path, 2
	s := build(t, c)
	for r := range s.Runs {
		if want := []sim.Time{60500 * sim.Second / 1000, 7200 * sim.Second}; !slices.Equal(s.Runs[r].History, want) {
			t.Errorf("replicate %d: history %v, want %v", r, s.Runs[r].History, want)
		}
	}
	before := s.BaseJSON()
	if err := os.WriteFile(path, []byte("gpu_s\n7200\n60\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if build(t, c).BaseJSON() == before {
		t.Error("another history in the file does not change the JSON")
	}
}

// One way to state it, and every fault of the file at once, with where the setting stands.
func TestWrongHistory(t *testing.T) {
	bad := write(t, "bad.csv", "gpu_s\n0\nx\n")
	for name, want := range map[string]string{
		"slef": `--history: history is "slef", expected self, none or a file; did you mean "self"?`,
		"":     `--history: history is "", expected self, none or a file`,
		bad: "--history: " + bad + `:2: column "gpu_s" is "0", expected GPU-seconds > 0 and at most 1e12` + "\n" +
			bad + `:3: column "gpu_s" is "x", expected GPU-seconds > 0 and at most 1e12`,
	} {
		c := base()
		c.History = name
		c.Mark("history", "--history")
		if _, err := Build(c, fewPolicies()); err == nil || strings.TrimSpace(err.Error()) != want {
			t.Errorf("%q: error %v\nwant %s", name, err, want)
		}
	}
}
