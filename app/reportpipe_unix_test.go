//go:build unix

package app

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A named pipe where a file is expected ends report, figures and another run with an error that
// names it; no process writes into it.
func TestPipesInResults(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, "compare", "--trace", "synth:demo,jobs=10", "--cluster", "1x2x8", "--policy", "fifo", "--policy",
		"las", "--out", "run")
	table := filepath.Join("run", "trials", "policy-fifo", "replicate-0")
	for _, name := range []string{filepath.Join(table, "more.parquet"), "run/config.json"} {
		path := filepath.Join(dir, name)
		kept, missing := os.ReadFile(path)
		if missing == nil {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip("no named pipes here:", err)
		}
		all := [][]string{{"report", "run", "--out", "r.html"}, {"figures", "run"}}
		if name == "run/config.json" {
			all = append(all, []string{"compare", "--trace", "synth:demo,jobs=10", "--cluster", "1x2x8", "--policy",
				"fifo", "--out", "run"})
		}
		for _, args := range all {
			s := tarry(t, dir, args...)
			if s.code == 0 || !strings.Contains(s.errors, filepath.Base(name)) ||
				!strings.Contains(s.errors, "expected a regular file") {
				t.Errorf("%s with a pipe for %s: exit code %d, %q", args[0], name, s.code, s.errors)
			}
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if missing == nil {
			if err := os.WriteFile(path, kept, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
