package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Runs are listed, compared side by side, drawn in one picture and put on one page.
func TestRuns(t *testing.T) {
	dir := t.TempDir()
	for _, seed := range []string{"1", "2"} {
		good(t, dir, "compare", "--trace", "synth:demo,jobs=10", "--cluster", "2x2x8", "--policy", "dally", "--policy",
			"fifo", "--seed", seed, "--out", "runs/"+seed)
	}
	if err := os.MkdirAll(filepath.Join(dir, "runs/broken/trials"), 0o777); err != nil {
		t.Fatal(err)
	}
	listed := good(t, dir, "runs")
	for _, want := range []string{"path", "cannot be read", "dally, fifo", "seed", "broken: "} {
		if !strings.Contains(listed.out, want) {
			t.Errorf("no %q in %s", want, listed.out)
		}
	}
	csv := good(t, dir, "runs", "runs", "--where", "kind=compare", "--where", "policy=fifo", "--sort", "-seed",
		"--columns", "kind,seed", "--format", "csv", "--out", "all.parquet")
	if csv.out != "path,kind,seed\n2,compare,2\n1,compare,1\n" {
		t.Errorf("%s", csv.out)
	}
	if info, err := os.Stat(filepath.Join(dir, "all.parquet")); err != nil || info.Size() == 0 {
		t.Errorf("no Parquet: %v", err)
	}
	if s := good(t, dir, "runs", "runs/1", "runs/2", "--all"); !strings.Contains(s.out, "cluster.name=2x2x8\n") ||
		!strings.Contains(s.out, "\nseed ") || strings.Contains(s.out, "\ntrace ") {
		t.Errorf("side by side: %s", s.out)
	}
	for _, c := range []struct{ args, want string }{
		{"runs --sort sede", `did you mean "seed"?`}, {"runs --columns knd", `did you mean "kind"?`},
		{"none", "no such file"}, {"runs runs/1", "runs is no run"}, {"--where x", "expected KEY=VALUE"},
		{"--where seed=7", "no run in runs"}, {"--out a.csv", "ends in .parquet"}, {"--format xml", "--format"},
	} {
		s := tarry(t, dir, append([]string{"runs"}, strings.Fields(c.args)...)...)
		if s.code != exitUsage || !strings.Contains(s.errors, c.want) {
			t.Errorf("runs %s: %d %s, want %s", c.args, s.code, s.errors, c.want)
		}
	}
	if s := good(t, dir, "report", "runs/1", "runs/2"); s.out != "report.html\n" {
		t.Errorf("report: %s", s.out)
	}
	if page, err := os.ReadFile(filepath.Join(dir, "report.html")); err != nil ||
		!strings.Contains(string(page), "2 comparisons") {
		t.Errorf("the page of two folders has another title (%v)", err)
	}
	if s := tarry(t, dir, "report", "runs/1", "runs/1"); s.code != exitUsage ||
		!strings.Contains(s.errors, "given twice") {
		t.Errorf("one folder twice: %d %s", s.code, s.errors)
	}
}
