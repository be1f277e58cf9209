package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOverloadIsSaid: an overloaded setting is named below the table, in JSON, and on the page of
// the report; neither the demonstration under Dally nor a load of 0.7 is.
func TestOverloadIsSaid(t *testing.T) {
	dir := t.TempDir()
	const said = " is overloaded"
	s := good(t, dir, "compare", "--trace", "synth:poisson,law=exp,jobs=600,load=1.4", "--cluster", "2x4x8",
		"--replicates", "3", "--policy", "fifo-fit", "--policy", "srtf", "--out", "runs")
	if !strings.Contains(s.out, "fifo-fit is overloaded in 3 of 3 runs: the queue grows until the last arrival") ||
		strings.Count(s.out, said) != 2 {
		t.Errorf("a load of 1.4: %s", s.out)
	}
	good(t, dir, "report", "runs", "--out", "runs.html")
	page, err := os.ReadFile(filepath.Join(dir, "runs.html"))
	if err != nil || !strings.Contains(string(page), "overloaded: the queue grows until the last arrival") {
		t.Errorf("the page does not say that the runs are overloaded; %v", err)
	}
	s = good(t, dir, "simulate", "--trace", "synth:poisson,law=exp,jobs=600,load=1.4", "--cluster", "2x4x8",
		"--policy", "fifo-fit", "--format", "json")
	if all, _ := objects(t, s.out); !(all[0]["overload_gpus"].(float64) > 64) {
		t.Errorf("a load of 1.4: %s", s.out)
	}
	demo, err := filepath.Abs(filepath.Join("..", "examples", "demo.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"compare", "--trace", "synth:poisson,law=exp,jobs=600,load=0.7", "--cluster", "2x4x8", "--replicates", "5",
			"--policy", "fifo-fit", "--policy", "srtf"},
		{"compare", "--config", demo, "--policy", "dally:lease=300,history=48", "--policy",
			"dally-consolidated:lease=300"},
	} {
		if s := good(t, dir, args...); strings.Contains(s.out, said) {
			t.Errorf("%q: %s", args, s.out)
		}
	}
}
