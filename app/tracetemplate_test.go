package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The example is read again in every format, without a note and with the same jobs.
func TestTraceTemplate(t *testing.T) {
	dir := t.TempDir()
	if out := good(t, dir, "trace", "template").out; out != template {
		t.Errorf("standard output has %q", out)
	}
	want := ""
	for _, name := range []string{"x.csv", "x.csv.gz", "x.jsonl", "x.parquet"} {
		good(t, dir, "trace", "template", "--out", name)
		format, _, _ := strings.Cut(strings.TrimPrefix(name, "x."), ".")
		s := good(t, dir, "trace", "info", "--strict", format+":"+name)
		if strings.Contains(s.errors, "note:") {
			t.Errorf("%s: %s", name, s.errors)
		}
		_, jobs, _ := strings.Cut(s.out, "jobs  ")
		jobs, _, _ = strings.Cut(jobs, "mean GPUs busy") // below it is where fields are from
		if want == "" {
			want = jobs
		}
		if jobs != want || !strings.HasPrefix(strings.TrimSpace(jobs), "3\n") {
			t.Errorf("%s gives\n%s\nexpected\n%s", name, s.out, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "own.csv"), []byte("job,num_gpu,start,hours,note\na,2,0,1,x\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	s := good(t, dir, "trace", "info", "--columns", "id=job,gpus=num_gpu,submit_s=start,duration_h=hours", "own.csv")
	if !strings.Contains(s.out, "mean run 3600 s") && !strings.Contains(s.out, "mean 3600 s") {
		t.Errorf("mapped columns give\n%s", s.out)
	}
}
