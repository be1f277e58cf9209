package app

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/traces/intake"
	"tarry/traces/parquetfmt"
)

func TestTraceSlurmCommand(t *testing.T) {
	dir := t.TempDir()
	if s := good(t, dir, "trace", "slurm-command", "--start", "2026-01-01", "--partition", "a b"); !strings.Contains(s.out,
		"--starttime=2026-01-01 --endtime=now --partition='a b' \\\n  --format=JobID,") {
		t.Errorf("the command is\n%s", s.out)
	}
	if s := tarry(t, dir, "trace", "slurm-command", "gpu"); s.code != exitUsage {
		t.Errorf("an argument without a flag: %d %s", s.code, s.errors)
	}
}

func TestTraceInfo(t *testing.T) {
	dir := t.TempDir()
	s := good(t, dir, "trace", "info", "--cluster", "4x4x8", "synth:demo")
	if !strings.Contains(s.out, "300") || !strings.Contains(s.out, "on 128 GPUs") {
		t.Errorf("info says\n%s", s.out)
	}
	var info map[string]any
	if err := json.Unmarshal([]byte(good(t, dir, "trace", "info", "--trace", "synth:demo", "--cluster", "4x4x8",
		"--format", "json").out), &info); err != nil {
		t.Fatal(err)
	}
	if info["jobs"] != 300.0 || !(info["load"].(float64) > 0.5) {
		t.Errorf("info is %v", info)
	}
}

// Jobs that name a GPU type are counted by it; a trace without types has no such rows.
func TestTraceInfoTypes(t *testing.T) {
	dir := t.TempDir()
	csv := "id,submit_s,gpus,work_s,gpu_type\na,0,1,3600,v100\nb,100,2,7200,k80\nc,200,4,36,\nd,300,4,3600,v100\n"
	if err := os.WriteFile(filepath.Join(dir, "t.csv"), []byte(csv), 0o666); err != nil {
		t.Fatal(err)
	}
	text := good(t, dir, "trace", "info", "csv:t.csv").out
	for _, want := range []string{"on k80  ", "1 jobs (25.0 %), 2.0 GPU-hours", "on v100  ",
		"2 jobs (50.0 %), 2.0 GPU-hours", "on any type  "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if j := good(t, dir, "trace", "info", "--format", "json", "csv:t.csv").out; !strings.Contains(j,
		`"gpu_types":[{"type":"k80","jobs":1,"work_gpu_h":2},{"type":"v100","jobs":2,"work_gpu_h":2}]`) {
		t.Errorf("info is %s", j)
	}
	for _, format := range []string{"table", "json"} {
		if out := good(t, dir, "trace", "info", "--format", format, "synth:demo").out; strings.Contains(out, "type") {
			t.Errorf("types in\n%s", out)
		}
	}
}

// TestTraceRoundTrip: what is generated, written as CSV and as Parquet, gives the same results.
func TestTraceRoundTrip(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, "trace", "generate", "--seed", "3", "--trace", "synth:demo,jobs=40", "--out", "a.csv.gz")
	good(t, dir, "trace", "convert", "csv:a.csv.gz", "b.parquet")
	if csv := good(t, dir, "trace", "generate", "--seed", "3", "demo,jobs=40").out; strings.Count(csv, "\n") != 41 {
		t.Errorf("generate prints %q", csv)
	}
	var out []string
	for _, trace := range []string{"synth:demo,jobs=40", "csv:a.csv.gz", "parquet:b.parquet"} {
		out = append(out, good(t, dir, "simulate", "--seed", "3", "--trace", trace, "--policy", "fifo", "--format",
			"json").out)
	}
	if out[0] != out[1] || out[1] != out[2] {
		t.Errorf("results differ:\n%s", strings.Join(out, ""))
	}
}

func TestTraceConvertChanges(t *testing.T) {
	dir := t.TempDir()
	csv := "id,submit_s,gpus,work_s,vc\na,0,1,1,x\nb,100,2,1,y\nc,200,4,1,x\nd,300,4,1,x\n"
	if err := os.WriteFile(filepath.Join(dir, "t.csv"), []byte(csv), 0o666); err != nil {
		t.Fatal(err)
	}
	good(t, dir, "trace", "convert", "--vc", "x", "--min-gpus", "2", "--from", "100", "--scale", "2", "--models",
		"paper", "--users", "3", "csv:t.csv", "t.parquet")
	w, _, err := parquetfmt.Read(filepath.Join(dir, "t.parquet"), intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Jobs) != 2 || w.Jobs[0].ID != "c" || w.Jobs[0].Submit.Seconds() != 50 ||
		w.Jobs[1].Submit.Seconds() != 100 || w.Jobs[0].Model == "" || w.Jobs[0].User == "" {
		t.Errorf("jobs are %+v", w.Jobs)
	}
	for _, from := range []string{"-1e99", "-1"} {
		if s := tarry(t, dir, "trace", "convert", "--from="+from, "csv:t.csv", "u.csv"); s.code != exitUsage ||
			!strings.Contains(s.errors, "--from: window from ") {
			t.Errorf("from %s: %d %s", from, s.code, s.errors)
		}
	}
	if s := tarry(t, dir, "trace", "convert", "--vc", "z", "csv:t.csv", "u.csv"); s.code != exitUsage ||
		!strings.Contains(s.errors, "--vc: ") {
		t.Errorf("a selection of nothing: exit code %d, %q", s.code, s.errors)
	}
}

func TestTraceSplit(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, "trace", "split", "--shares", "60/20/20", "--gap", "100", "--format", "csv", "synth:poisson,jobs=200",
		"parts")
	total := 0
	for _, part := range []string{"train", "validation", "test"} {
		data, err := os.ReadFile(filepath.Join(dir, "parts", part+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		total += strings.Count(string(data), "\n") - 1
	}
	if total < 150 || total > 200 {
		t.Errorf("%d jobs in the parts of 200", total)
	}
}
