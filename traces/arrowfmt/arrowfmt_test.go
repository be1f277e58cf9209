package arrowfmt

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// The files of testdata were written by pyarrow and, where the name begins with polars, by polars.
func files(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("testdata/*")
	if err != nil || len(names) < 8 {
		t.Fatalf("files %v, error %v", names, err)
	}
	out := map[string][]byte{}
	for _, name := range names {
		if out[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func text0(w *sim.Workload) (s string) {
	for _, j := range w.Jobs {
		s += fmt.Sprintf("%s %s %d %s %s %d %g;", j.ID, tabular.FormatMicros(int64(j.Submit)), j.GPUs,
			tabular.FormatMicros(int64(j.Work)), j.User, j.Priority, j.IterS)
	}
	return s
}

// Types, compressions and forms of one table give the same jobs.
func TestFiles(t *testing.T) {
	for name, data := range files(t) {
		want := "a 0 1 10 u 1 0.5;b 1.5 2 41  0 0;a long name of a job 3600 4 120 v -2 1.25;"
		if strings.HasPrefix(name, "polars") {
			want = "a 0 1 10 u 1 0;b 1.5 2 41  0 0;a long name of a job 3600 4 120 v -2 0;"
		}
		w, report, err := Parse(name, bytes.NewReader(data), intake.Options{Strict: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := text0(w); got != want || !strings.Contains(strings.Join(report.Notes, ";"), `"note"`) {
			t.Errorf("%s gives %s, notes %v, expected %s", name, got, report.Notes, want)
		}
	}
}

// What is cut off or damaged is an error or gives other values, and never a panic; a file that ends
// before its last batch is never taken for the whole.
func TestDamaged(t *testing.T) {
	for name, data := range files(t) {
		whole, _, err := Parse(name, bytes.NewReader(data), intake.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < len(data); n += 11 {
			if w, _, err := Parse(name, bytes.NewReader(data[:n]), intake.Options{}); err == nil &&
				len(w.Jobs) > len(whole.Jobs) {
				t.Errorf("the first %d of %d bytes of %s give %d jobs", n, len(data), name, len(w.Jobs))
			}
		}
		for at := 0; at < len(data); at += 3 {
			bad := bytes.Clone(data)
			bad[at] ^= 0x55
			if w, _, err := Parse(name, bytes.NewReader(bad), intake.Options{}); err == nil && w.Validate() != nil {
				t.Fatalf("%s with another byte at %d gives a workload that is none: %v", name, at, w.Validate())
			}
		}
	}
}

func TestWrong(t *testing.T) {
	all := files(t)
	for _, c := range []struct{ name, columns, text, want string }{
		{"empty", "", "", "f: 0 bytes are no Arrow file"},
		{"text", "", "id,submit_s\n", `f: begins with "id,s", expected an Arrow IPC file, which begins with "ARROW1", or stream`},
		{"old Feather", "", "FEA1\x00\x00\x00\x00", "f: is Feather V1, expected Arrow IPC or Feather V2: write the table " +
			"again with a newer program, or as Parquet"},
		{"cut off", "", string(all["views.arrow"][:400]), `f: the file does not end in "ARROW1": is it cut off?`},
		{"a stream cut off", "", string(all["stream.arrows"][:400]), "f: the file ends inside a message: is it cut off?"},
		{"lists", "model=note,extra=-", string(all["views.arrow"]), `f: trace_columns: column "model" and`},
		{"structs", "user=-,group=extra", string(all["zstd.feather"]),
			`f: column "extra" holds structs, expected numbers, texts, timestamps or durations`},
		{"lists", "user=-,group=note", string(all["polars.arrows"]), `f: column "note" holds lists, expected numbers`},
		{"a name as a number", "priority=id", string(all["zstd.feather"]),
			`f:1: column "id" is "a", expected a whole number >= -2147483648`},
	} {
		_, _, err := Parse("f", strings.NewReader(c.text), intake.Options{Strict: true, Columns: c.columns})
		if c.columns == "model=note,extra=-" {
			c.want = `f: column "note" holds lists, expected numbers`
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s gives the error %v, expected %s", c.name, err, c.want)
		}
	}
	if _, _, err := Parse("f", bytes.NewReader(all["lz4.feather"]), intake.Options{MaxJobs: 2}); err == nil ||
		!strings.Contains(err.Error(), "3 jobs, more than the limit of 2") {
		t.Errorf("the limit gives the error %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, data := range files(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		w, _, err := Parse("f", bytes.NewReader(data), intake.Options{MaxJobs: 1000})
		if err == nil && w.Validate() != nil {
			t.Fatal(w.Validate())
		}
	})
}
