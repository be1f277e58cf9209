package traces

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/rng"
	"tarry/traces/synth"
	"tarry/traces/tracetest"
)

func TestCatalogue(t *testing.T) {
	want := []string{"philly", "helios", "pai", "openb", "tiresias", "artistsim", "swf", "swf-rlscheduler", "itp",
		"gavel", "elasticflow", "shockwave", "pollux", "muri", "deepshare", "csv", "parquet", "synth"}
	formats := All()
	if len(formats) != len(want) {
		t.Fatalf("%d formats, want %d", len(formats), len(want))
	}
	for i, f := range formats {
		if f.Name != want[i] || f.Doc == "" || f.Open == nil {
			t.Errorf("format %d is %q, want %q with a doc and a reader", i, f.Name, want[i])
		}
	}
}

func TestOpenErrors(t *testing.T) {
	all := "philly, helios, pai, openb, tiresias, artistsim, swf, swf-rlscheduler, itp, gavel, elasticflow, " +
		"shockwave, pollux, muri, deepshare, csv, parquet, synth"
	for spec, want := range map[string]string{
		"":         `trace "": no such file, expected a file, or FORMAT:PATH with FORMAT one of ` + all,
		"jobs.csv": `trace "jobs.csv": no such file, expected a file, or FORMAT:PATH with FORMAT one of ` + all,
		"phily:x.csv": `trace "phily:x.csv": unknown format "phily", expected one of ` + all +
			`; did you mean "philly"?`,
		"xyzzyqwert:x": `trace "xyzzyqwert:x": unknown format "xyzzyqwert", expected one of ` + all,
		"csv:":         `trace "csv:": nothing after "csv", expected tarry's own CSV: docs/job-columns.md has the columns`,
		"csv:/no/file": `open /no/file: no such file or directory`,
		"itp:/no/file": `open /no/file: no such file or directory; docs/data.md says where to get itp traces and where to put them`,
		"swf:/no/file": `open /no/file: no such file or directory; docs/data.md says where to get swf traces and where to put them`,
		"synth:dmeo":   `synth: unknown preset "dmeo", expected one of demo, philly, helios, batch, poisson, bursty, diurnal, million, gavel, recur, recur-drift, mm1, mmk, mg1; did you mean "demo"?`,
	} {
		if _, _, err := All().Open(spec, Options{}); err == nil || err.Error() != want {
			t.Errorf("%q: got\n%v\nwant\n%s", spec, err, want)
		}
	}
	if _, _, err := All().Open("synth:demo", Options{MaxJobs: 10}); err == nil ||
		!strings.Contains(err.Error(), "300 jobs, more than the limit of 10") {
		t.Errorf("a generator beyond the limit: %v", err)
	}
}

// The page that the error names has a section for each published format, and the error keeps what
// it wraps.
func TestMissingData(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "data.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range All() {
		if f.Name == "synth" {
			continue
		}
		_, _, err := All().Open(f.Name+":"+filepath.Join(t.TempDir(), "missing"), Options{})
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, expected an error about a missing file", f.Name, err)
			continue
		}
		if named := strings.Contains(err.Error(), "docs/data.md"); named != (f.Paper != "") {
			t.Errorf("%s: %q, expected docs/data.md in it for published data alone", f.Name, err)
		}
		if f.Paper != "" && !strings.Contains(string(page), "\n## "+f.Name+":") {
			t.Errorf("docs/data.md has no section %q", "## "+f.Name+": ...")
		}
	}
}

func demo(t testing.TB) *sim.Workload {
	t.Helper()
	w, report, err := All().Open("synth:demo", Options{Source: rng.Source{Seed: 1}})
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
		got, _, err := All().Open(format+":"+path, Options{Strict: true})
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
		want := fmt.Sprintf("cannot write %q: expected csv:PATH, parquet:PATH, or a path ending in .csv, .csv.gz, "+
			".csv.zst or .parquet", target)
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
			Drawn: sim.FieldModel},
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
	w, _, err := All().Open("philly:"+tracetest.Shared(t, "philly/philly.csv"), Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	s := Info(w)
	if s.Jobs != 82_247 || s.VCs != 15 || s.GPUsMax != 128 || math.Abs(s.RunMeanS-13_136) > 1 || s.RunP50S != 1144 ||
		math.Abs(s.Load(1)-374) > 1 {
		t.Errorf("%+v", s)
	}
}

func TestPresetsAreOpen(t *testing.T) {
	for _, p := range synth.Presets() {
		w, _, err := All().Open("synth:"+p.Name+",jobs=50", Options{})
		if err != nil || len(w.Jobs) != 50 {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

func ExampleCatalogue_Open() {
	w, report, err := All().Open("synth:poisson:jobs=100,gpus=64,load=0.5", Options{Source: rng.Source{Seed: 7}})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := Info(w)
	fmt.Print(report)
	fmt.Println(s.Jobs, "jobs,", s.Models, "models, up to", s.GPUsMax, "GPUs")
	// Output:
	// synth:poisson:jobs=100,gpus=64,load=0.5: 100 jobs kept of 100 rows
	// 100 jobs, 4 models, up to 32 GPUs
}

// A long file is read in the memory of its kept jobs: here none but one.
func TestStreaming(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n")
	b.WriteString("1,u,v,8,1,1,DONE,2020-04-01 00:00:00,x,x,60,0\n")
	line := []byte("2,u,v,0,1,1,DONE,2020-04-01 00:00:00,x,x,60,0\n")
	for range 200_000 {
		b.Write(line)
	}
	path := filepath.Join(t.TempDir(), "long.csv")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	w, report, err := All().Open("helios:"+path, Options{Strict: true, MaxJobs: 1})
	if err != nil || len(w.Jobs) != 1 || report.Rows != 200_001 || report.Dropped[0].Rows != 200_000 ||
		len(report.Dropped[0].Examples) != 3 {
		t.Errorf("%v, %v", err, report)
	}
}
