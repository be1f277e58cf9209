package app

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/traces/quality"
)

const messyJobs = `id,submit_s,gpus,work_s,gpu_type,state
a,0,1,3600,V100,Pass
b,50,1,100,v100,Pass
b,50,1,100,v100,Pass
b,60,1,200,v100,Running
c,40,9,100,,Pass
d,70,1,0,,Pass
`

// A repaired copy has an account of each change, the original stays, and what is wrong is refused
// with --strict.
func TestTraceRepair(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "jobs.csv")
	if err := os.WriteFile(path, []byte(messyJobs), 0o444); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	s := good(t, dir, "trace", "repair", "--trace", "jobs.csv", "--out", "copy.csv", "--cluster", "v100:1x1x4")
	if !strings.Contains(s.out, "3 jobs of 6 rows, 1.1 GPU-hours") || !strings.Contains(s.out, "  fits ") {
		t.Errorf("printed %s", s.out)
	}
	const changes = `row,id,field,before,after,rule,why
4,b,work_s,100,dropped,duplicates,the row is a copy of an earlier one: the job id appears twice
5,b,id,b,b-2,ids,another job has the id: it appears twice
7,d,work_s,0,dropped,wrong,"column ""work_s"": expected seconds > 0"
2,a,gpu_type,V100,v100,types,the cluster's spelling
6,c,work_s,100,dropped,fits,larger than the cluster of 4 GPUs
`
	if got := read("copy.csv.changes.csv"); got != changes {
		t.Errorf("changes\n%swant\n%s", got, changes)
	}
	s = good(t, dir, "trace", "repair", "--trace", "copy.csv", "--out", "again.csv", "--cluster", "v100:1x1x4",
		"--changes", "none.json", "--format", "json")
	var sum repaired
	if err := json.Unmarshal([]byte(s.out), &sum); err != nil || sum.Written != 3 || len(sum.Changes) > 0 {
		t.Errorf("%s: %v", s.out, err)
	}
	if read("again.csv") != read("copy.csv") || read("none.json") != "[]\n" || read("jobs.csv") != messyJobs {
		t.Error("a repaired copy changes again, or the original has changed")
	}
	for _, c := range []struct{ args, want string }{
		{"--out jobs.csv", "--out: jobs.csv is the trace itself, expected another file"},
		{"--out x.csv --changes jobs.csv", "--changes: jobs.csv is the trace itself"},
		{"--out x.txt", `cannot write "x.txt"`},
		{"--out x.csv --rules fits", "--rules: rule fits without --cluster"},
		{"--out x.csv --rules order,duplicates", `jobs.csv:5: job id "b" appears twice, expected unique ids`},
		{"--out x.csv --zone Nowhere/At", "--zone: unknown time zone Nowhere/At"},
		{"--out x.csv --strict", `jobs.csv:7: column "work_s" is "0", expected seconds > 0`},
	} {
		s := tarry(t, dir, append([]string{"trace", "repair", "--trace", "csv:jobs.csv"}, strings.Fields(c.args)...)...)
		if s.code == 0 || !strings.Contains(s.errors, c.want) {
			t.Errorf("%s: exit code %d, %s, expected %s", c.args, s.code, s.errors, c.want)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 5 || read("jobs.csv") != messyJobs {
		t.Errorf("%d files, %v, expected jobs.csv, two copies and two accounts", len(entries), err)
	}
}

// The findings are printed, and have the same place in JSON.
func TestTraceQuality(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "jobs.csv"), []byte(messyJobs), 0o666); err != nil {
		t.Fatal(err)
	}
	s := good(t, dir, "trace", "info", "--trace", "jobs.csv", "--cluster", "v100:1x1x4")
	const want = `quality
  state Pass    3 jobs, 1.1 GPU-hours (100.0 %)
  copies        wrong: 1 rows equal an earlier one
  same id       wrong: 1 rows have the id of another job
  out of order  1 of 6 rows, by up to 10 s (line 6)
  fits nowhere  1 jobs: larger than the cluster of 4 GPUs
`
	if !strings.HasSuffix(s.out, want) {
		t.Errorf("got\n%swant\n%s", s.out, want)
	}
	for line := range strings.Lines(s.out) {
		if len(line) > 81 {
			t.Errorf("a line of %d columns: %s", len(line)-1, line)
		}
	}
	s = good(t, dir, "trace", "info", "--trace", "jobs.csv", "--cluster", "v100:1x1x4", "--format", "json")
	var out struct{ Quality []quality.Finding }
	if err := json.Unmarshal([]byte(s.out), &out); err != nil || len(out.Quality) != 5 || !out.Quality[1].Wrong ||
		out.Quality[4].Kind != quality.Unfit || out.Quality[4].Jobs != 1 {
		t.Errorf("%s: %v", s.out, err)
	}
	s = tarry(t, dir, "trace", "info", "--trace", "jobs.csv", "--strict")
	if s.code != 1 || !strings.Contains(s.errors, `jobs.csv:4: job id "b" appears twice`) {
		t.Errorf("--strict: exit code %d, %s", s.code, s.errors)
	}
}
