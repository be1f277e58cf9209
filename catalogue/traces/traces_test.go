package traces_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/traces"
	"tarry/sim/entry"
	"tarry/sim/rng"
	work "tarry/traces"
	"tarry/traces/synth"
)

func TestCatalogue(t *testing.T) {
	want := []string{"philly", "helios", "acme", "pai", "openb", "dlrm", "spot", "tiresias",
		"artistsim", "swf", "swf-partitions",
		"swf-rlscheduler", "slurm", "slurm-partitions", "itp", "gavel", "elasticflow", "shockwave",
		"pollux", "muri",
		"deepshare", "batsim", "k8s",
		"csv", "parquet", "arrow", "jsonl", "synth"}
	formats := traces.All()
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
	all := "philly, helios, acme, pai, openb, dlrm, spot, tiresias, artistsim, swf, swf-partitions, " +
		"swf-rlscheduler, slurm, " +
		"slurm-partitions, itp, gavel, elasticflow, " +
		"shockwave, pollux, muri, deepshare, " +
		"batsim, k8s, " +
		"csv, parquet, arrow, jsonl, synth"
	for spec, want := range map[string]string{
		"":         `trace "": no such file, expected a file, or FORMAT:PATH with FORMAT one of ` + all,
		"jobs.csv": `trace "jobs.csv": no such file, expected a file, or FORMAT:PATH with FORMAT one of ` + all,
		"phily:x.csv": `trace "phily:x.csv": unknown format "phily", expected one of ` + all +
			`; did you mean "philly"?`,
		"xyzzyqwert:x": `trace "xyzzyqwert:x": unknown format "xyzzyqwert", expected one of ` + all,
		"csv:":         `trace "csv:": nothing after "csv", expected tarry's own CSV: docs/reference/job-columns.md has the columns`,
		"csv:/no/file": `open /no/file: no such file or directory`,
		"itp:/no/file": `open /no/file: no such file or directory; docs/reference/data-origins.md states where to get itp traces and where to put them`,
		"swf:/no/file": `open /no/file: no such file or directory; docs/reference/data-origins.md states where to get swf traces and where to put them`,
		"synth:dmeo":   `synth: unknown preset "dmeo", expected one of demo, philly, helios, batch, poisson, bursty, diurnal, million, gavel, ada-srsf, recur, recur-drift, mm1, mmk, mg1; did you mean "demo"?`,
	} {
		if _, _, err := traces.All().Open(spec, entry.TraceOptions{}); err == nil || err.Error() != want {
			t.Errorf("%q: got\n%v\nwant\n%s", spec, err, want)
		}
	}
	if _, _, err := traces.All().Open("synth:demo", entry.TraceOptions{MaxJobs: 10}); err == nil ||
		!strings.Contains(err.Error(), "300 jobs, more than the limit of 10") {
		t.Errorf("a generator beyond the limit: %v", err)
	}
}

// The page that the error names has a section for each published format, and the error keeps what
// it wraps.
func TestMissingData(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", "data-origins.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range traces.All() {
		if f.Name == "synth" {
			continue
		}
		_, _, err := traces.All().Open(f.Name+":"+filepath.Join(t.TempDir(), "missing"), entry.TraceOptions{})
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, expected an error about a missing file", f.Name, err)
			continue
		}
		if named := strings.Contains(err.Error(), "docs/reference/data-origins.md"); named != (f.Paper != "") {
			t.Errorf("%s: %q, expected docs/reference/data-origins.md in it for published data alone", f.Name, err)
		}
		if f.Paper != "" && !strings.Contains(string(page), "\n## "+f.Name+":") {
			t.Errorf("docs/reference/data-origins.md has no section %q", "## "+f.Name+": ...")
		}
	}
}

func TestPresetsAreOpen(t *testing.T) {
	for _, p := range synth.Presets() {
		w, _, err := traces.All().Open("synth:"+p.Name+",jobs=50", entry.TraceOptions{})
		if err != nil || len(w.Jobs) != 50 {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

func ExampleAll() {
	w, report, err := traces.All().Open("synth:poisson:jobs=100,gpus=64,load=0.5",
		entry.TraceOptions{Source: rng.Source{Seed: 7}})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := work.Info(w)
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
	w, report, err := traces.All().Open("helios:"+path, entry.TraceOptions{Strict: true, MaxJobs: 1})
	if err != nil || len(w.Jobs) != 1 || report.Rows != 200_001 || report.Dropped[0].Rows != 200_000 ||
		len(report.Dropped[0].Examples) != 3 {
		t.Errorf("%v, %v", err, report)
	}
}
