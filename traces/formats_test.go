package traces_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/recorded"
	"tarry/traces/arrowfmt"
	"tarry/traces/csvfmt"
	"tarry/traces/intake"
	"tarry/traces/jsonlfmt"
	"tarry/traces/parquetfmt"
)

// everyField are jobs of which each field is set somewhere and missing elsewhere.
func everyField(t *testing.T) *sim.Workload {
	t.Helper()
	w, err := sim.NewWorkload("formats", []sim.Job{
		{ID: "a", Submit: 1, GPUs: 4, MinGPUs: 2, MaxGPUs: 8, WorkerGPUs: 2, Work: 123_456_789_012, Iterations: 7,
			IterS: 0.1, BatchSize: 3, Model: "ü<b>", User: "u,v", Group: "g", VC: "v", GPUType: "T", State: "s",
			Request: 5_000_000, Deadline: 6_000_001, CPUMilli: 9, MemMiB: 8, GPUMiB: 7, GPUUtilFrac: 0.25, Priority: -2,
			Drawn:  origin.Model | origin.User,
			Record: &recorded.Run{Wait: 3, Machines: "m1*2,m2"}},
		{ID: "b", Submit: 2_500_000, GPUs: 1, Work: 1, ShareMilli: 250, Record: &recorded.Run{}},
		{ID: "c", Submit: 2_500_000, GPUs: 3, Work: 9_000_000_000},
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// arrowFiles writes the table of a Parquet file in the forms of Arrow.
const arrowFiles = `
import sys, pyarrow as pa, pyarrow.parquet as pq, pyarrow.feather as feather
table = pq.read_table(sys.argv[1] + "/jobs.parquet")
table = table.replace_schema_metadata(None)
feather.write_feather(table, sys.argv[1] + "/jobs.feather", compression="zstd")
with pa.OSFile(sys.argv[1] + "/jobs.arrow", "wb") as out, pa.ipc.new_file(out, table.schema) as w:
    w.write_table(table)
with pa.OSFile(sys.argv[1] + "/jobs.arrows", "wb") as out, pa.ipc.new_stream(out, table.schema) as w:
    w.write_table(table, max_chunksize=2)
`

// One table of jobs reads to the same workload in every format of tables, with every field.
func TestTableIsTheSameInEveryFormat(t *testing.T) {
	want, dir := everyField(t), t.TempDir()
	same := func(name string, read func(string, intake.Options) (*sim.Workload, *intake.Report, error)) {
		t.Helper()
		got, _, err := read(filepath.Join(dir, name), intake.Options{Strict: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !reflect.DeepEqual(got.Jobs, want.Jobs) || got.Hash() != want.Hash() {
			t.Errorf("%s holds\n%+v\nexpected\n%+v", name, got.Jobs, want.Jobs)
		}
	}
	write := func(name string, write func(*bytes.Buffer) error) {
		t.Helper()
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("jobs.csv", func(b *bytes.Buffer) error { return csvfmt.Write(b, want) })
	write("jobs.jsonl", func(b *bytes.Buffer) error { return jsonlfmt.Write(b, want) })
	write("jobs.parquet", func(b *bytes.Buffer) error { return parquetfmt.Write(b, want) })
	same("jobs.csv", csvfmt.Read)
	same("jobs.jsonl", jsonlfmt.Read)
	same("jobs.parquet", parquetfmt.Read)
	python, err := filepath.Abs("../build/venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command(python, "-c", "import pyarrow").Run(); err != nil {
		t.Skipf("pyarrow does not write Arrow's forms: build/venv is absent (make venv): %v", err)
	}
	if out, err := exec.Command(python, "-c", arrowFiles, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"jobs.feather", "jobs.arrow", "jobs.arrows"} {
		same(name, arrowfmt.Read)
	}
}
