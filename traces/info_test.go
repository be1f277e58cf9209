package traces

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	formats "tarry/catalogue/traces"
	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/recorded"
	"tarry/sim/rng"
	"tarry/traces/tracetest"
)

func demo(t testing.TB) *sim.Workload {
	t.Helper()
	w, report, err := formats.All().Open("synth:demo", Options{Source: rng.Source{Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if report.Kept != len(w.Jobs) {
		t.Fatalf("the report says %v", report)
	}
	return w
}

func TestWriteAndOpenAgain(t *testing.T) {
	w := demo(t)
	dir := t.TempDir()
	for _, name := range []string{"a.csv", "a.csv.gz", "a.csv.zst", "sub/folder/a.parquet"} {
		path := filepath.Join(dir, name)
		for range 2 { // the second time over the first
			if err := Write(path, w); err != nil {
				t.Fatal(err)
			}
		}
		format := "csv"
		if strings.HasSuffix(name, "parquet") {
			format = "parquet"
		}
		got, _, err := formats.All().Open(format+":"+path, Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		if got.Hash() != w.Hash() {
			t.Errorf("%s: the jobs differ", name)
		}
	}
	if err := Write("parquet:"+filepath.Join(dir, "odd.name"), w); err != nil {
		t.Error(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWriteErrors(t *testing.T) {
	w := demo(t)
	dir := t.TempDir()
	for _, target := range []string{"x.txt", "", "csv:", "json:x"} {
		err := Write(target, w)
		want := fmt.Sprintf("cannot write %q: expected csv:PATH, parquet:PATH, jsonl:PATH, or a path ending in .csv, "+
			".jsonl, the same with .gz or .zst, or .parquet", target)
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v", target, err)
		}
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(file, "a.csv"), w); err == nil {
		t.Error("a file as a folder was accepted")
	}
	folder := filepath.Join(dir, "b.csv")
	if err := os.MkdirAll(filepath.Join(folder, "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Write(folder, w); err == nil || !strings.HasPrefix(err.Error(), "writing "+folder) {
		t.Errorf("a folder in the way gives the error %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestInfo(t *testing.T) {
	w, err := sim.NewWorkload("w", []sim.Job{
		{ID: "a", GPUs: 1, Work: 10 * sim.Second, User: "u", Group: "g", Request: 30 * sim.Second, Model: "m",
			Drawn: origin.Model},
		{ID: "b", GPUs: 4, Work: 80 * sim.Second, User: "u", VC: "v", Submit: 50 * sim.Second},
		{ID: "c", GPUs: 4, Work: 160 * sim.Second, User: "d557d50a2f94b334", VC: "v", Submit: 60 * sim.Second},
		{ID: "d", GPUs: 1, ShareMilli: 500, Work: 20 * sim.Second, Submit: 100 * sim.Second},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := Info(w)
	if s.Jobs != 4 || s.Users != 2 || s.VCs != 1 || s.Models != 1 || s.SpanS != 100 || s.GPUsMean != 2.5 ||
		s.GPUsMax != 4 || s.Drawn != "model" {
		t.Errorf("%+v", s)
	}
	if s.RunMeanS != 27.5 || s.RunP50S != 20 || s.RunP90S != 40 || s.RunP99S != 40 || s.RunMaxS != 40 {
		t.Errorf("runs %+v", s)
	}
	if math.Abs(s.WorkGPUH*3600-270) > 1e-9 || math.Abs(s.Load(10)-0.27) > 1e-12 {
		t.Errorf("work %g GPU-h, load %g", s.WorkGPUH, s.Load(10))
	}
	if want := []Demand{{GPUs: 1, Jobs: 2, RunMeanS: 25}, {GPUs: 4, Jobs: 2, RunMeanS: 30}}; len(s.Demands) != 2 ||
		s.Demands[0] != want[0] || s.Demands[1] != want[1] {
		t.Errorf("demands %v, want %v", s.Demands, want)
	}
	if text := s.Table(10); !strings.Contains(text, "load                        0.270 on 10 GPUs") ||
		!strings.Contains(text, "4 GPUs                    2 jobs (50.0 %), mean run 30 s") ||
		!strings.Contains(text, "requests                    25.0 % of the jobs, median 3.00 x the run") ||
		!strings.Contains(text, "models  2, 1, 1, 1") || strings.Contains(text, "log run time") {
		t.Errorf("the table is\n%s", text)
	}
	if strings.Contains(s.Table(10), "elastic") {
		t.Errorf("rigid jobs are elastic:\n%s", s.Table(10))
	}
	if strings.Contains(s.Table(10), "started in the log") {
		t.Errorf("jobs without a record started:\n%s", s.Table(10))
	}
	w.Jobs[0].Record, w.Jobs[1].Record = &recorded.Run{Wait: 3e6}, &recorded.Run{Machines: "m"}
	if a := Info(w); !strings.Contains(a.Table(10), "started in the log          50.0 % of the jobs, mean wait 1.5 s; "+
		"machines of 1") {
		t.Errorf("the table is\n%s", a.Table(10))
	}
	w.Jobs[0].MaxGPUs, w.Jobs[1].MinGPUs, w.Jobs[2].MaxGPUs, w.Jobs[2].WorkerGPUs = 3, 2, 8, 4
	info := Info(w)
	if text := info.Table(10); !strings.Contains(text, "elastic                     3 jobs (75.0 %); ranges by "+
		"demand below") || !strings.Contains(text, "in workers of several GPUs  1 jobs (25.0 %)") ||
		!strings.Contains(text, "mean run 25 s; 1 elastic, 1 to 3 GPUs") ||
		!strings.Contains(text, "mean run 30 s; 2 elastic, 2 to 8 GPUs") {
		t.Errorf("the table of elastic jobs is\n%s", text)
	}
	batch := Info(&sim.Workload{Name: "one", Jobs: w.Jobs[:1]})
	if !strings.Contains(batch.Table(1), "all jobs are submitted at once") {
		t.Errorf("the table of a batch is\n%s", batch.Table(1))
	}
	if none := Info(&sim.Workload{}); none.Jobs != 0 || strings.Contains(none.Table(8), "NaN") {
		t.Errorf("an empty workload: %s", none.Table(8))
	}
}

// The statistics of the shared Philly extract, known from elsewhere.
func TestInfoOfPhilly(t *testing.T) {
	w, _, err := formats.All().Open("philly:"+tracetest.Shared(t, "philly/philly.csv"), Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	s := Info(w)
	if s.Jobs != 82_247 || s.VCs != 15 || s.GPUsMax != 128 || math.Abs(s.RunMeanS-13_136) > 1 || s.RunP50S != 1144 ||
		math.Abs(s.Load(1)-374) > 1 {
		t.Errorf("%+v", s)
	}
}
