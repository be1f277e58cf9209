// Package tracetest checks a reader of a trace format against what every reader must
// do, so that a new format costs a sample and one call.
package tracetest

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/account"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// Format is a reader and a small whole sample of its format.
type Format struct {
	// Parse reads one stream.
	Parse intake.Parse
	// Sample is text with LF line ends whose jobs all are kept; at least three jobs.
	Sample string
	// Duplicate is Sample with one of its jobs given twice under the same id; "" = the format joins
	// rows of one id.
	Duplicate string
	// Unlisted counts rows of the sample that the format leaves out by its nature.
	Unlisted int
	// Table states that the sample is CSV with a header, whose columns may stand in any order.
	Table bool
}

// Test runs the suite.
func Test(t *testing.T, f Format) {
	t.Helper()
	want, report, err := f.Parse("sample", strings.NewReader(f.Sample), intake.Options{Strict: true})
	if err != nil {
		t.Fatalf("the sample: %v", err)
	}
	if len(want.Jobs) < 3 || report.Kept != len(want.Jobs) || report.Rows != report.Kept+f.Unlisted {
		t.Fatalf("the sample gives %d jobs, the report states %d kept of %d rows with %d left out", len(want.Jobs),
			report.Kept, report.Rows, f.Unlisted)
	}
	if err := want.Validate(); err != nil {
		t.Fatal(err)
	}
	t.Run("dressing", func(t *testing.T) { f.dressing(t, want) })
	t.Run("cut off", f.cutOff)
	t.Run("empty", f.empty)
	if f.Duplicate != "" {
		t.Run("duplicate", f.duplicate)
		t.Run("repair", func(t *testing.T) { f.repair(t, want) })
	}
	t.Run("limit", func(t *testing.T) { f.limit(t, len(want.Jobs)) })
	t.Run("files", f.files)
	if f.Table {
		t.Run("table", func(t *testing.T) { asTable(t, f.Parse, f.Sample) })
	}
}

// dressing: line ends, byte-order marks and compression change nothing.
func (f Format) dressing(t *testing.T, want *sim.Workload) {
	crlf := strings.ReplaceAll(f.Sample, "\n", "\r\n")
	for name, data := range map[string][]byte{
		"again":         []byte(f.Sample),
		"CRLF":          []byte(crlf),
		"BOM":           []byte("\xef\xbb\xbf" + f.Sample),
		"no last end":   []byte(strings.TrimRight(f.Sample, "\n")),
		"blank lines":   []byte(f.Sample + "\n\n"),
		"gzip":          Gzip(t, f.Sample),
		"zstd":          Zstd(t, f.Sample),
		"gzip BOM CRLF": Gzip(t, "\xef\xbb\xbf"+crlf),
	} {
		got, _, err := f.Parse("sample", bytes.NewReader(data), intake.Options{Strict: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got.Hash() != want.Hash() {
			t.Errorf("%s: the jobs differ from the plain sample's", name)
		}
	}
}

// cutOff: a strict reading of a part of the file never panics; compressed files that
// are cut are always an error.
func (f Format) cutOff(t *testing.T) {
	for n := range len(f.Sample) {
		w, _, err := f.Parse("sample", strings.NewReader(f.Sample[:n]), intake.Options{})
		if err == nil && w.Validate() != nil {
			t.Fatalf("the first %d bytes give a workload that is not one: %v", n, w.Validate())
		}
	}
	for name, whole := range map[string][]byte{"gzip": Gzip(t, f.Sample), "zstd": Zstd(t, f.Sample)} {
		for _, n := range []int{len(whole) - 1, len(whole) - 9, len(whole) / 2, 5} {
			if _, _, err := f.Parse("sample", bytes.NewReader(whole[:n]), intake.Options{}); err == nil {
				t.Errorf("the first %d of %d bytes of the %s file were taken for the whole", n, len(whole), name)
			}
		}
	}
}

func (f Format) empty(t *testing.T) {
	for _, text := range []string{"", "\n", " \n\r\n", "\xef\xbb\xbf"} {
		_, _, err := f.Parse("sample", strings.NewReader(text), intake.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), "sample") {
			t.Errorf("%q gives the error %v, expected one that starts with the file's name", text, err)
		}
	}
}

func (f Format) duplicate(t *testing.T) {
	w, report, err := f.Parse("sample", strings.NewReader(f.Duplicate), intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Wrong() != 1 || report.Kept != len(w.Jobs) || len(report.Dropped) == 0 {
		t.Errorf("the repeated job was not dropped and counted: %v", report)
	}
	_, _, err = f.Parse("sample", strings.NewReader(f.Duplicate), intake.Options{Strict: true})
	if err == nil || !strings.Contains(err.Error(), "appears twice, expected unique ids") {
		t.Errorf("strict: the repeated job gives the error %v", err)
	}
}

// repair: a reading that mends leaves the sample as it is, names the job that is given twice, and a
// part of the file never becomes an error by it.
func (f Format) repair(t *testing.T, want *sim.Workload) {
	mend := func(text string) (*sim.Workload, *intake.Report, *account.Repair, error) {
		r := &account.Repair{Rules: []string{account.WrongRows, account.Copies, account.Ids}}
		w, report, err := f.Parse("sample", strings.NewReader(text), intake.Options{Repair: r})
		return w, report, r, err
	}
	w, _, r, err := mend(f.Sample)
	if err != nil || w.Hash() != want.Hash() || len(r.Changes) > 0 || len(r.Lines) != len(w.Jobs) {
		t.Errorf("the sample has the changes %+v, %v", r.Changes, err)
	}
	_, report, r, err := mend(f.Duplicate)
	if err != nil || len(r.Changes) != 1 {
		t.Fatalf("the repeated job has the changes %+v, %v, %v", r.Changes, report, err)
	}
	// a reader that joins rows sees by itself that a job is there twice, and the row is a wrong one
	if c := r.Changes[0]; c.Row == 0 || (c.Rule == account.WrongRows) != (report.Wrong() == 1) {
		t.Errorf("the repeated job has the change %+v, %v", c, report)
	}
	for n := range len(f.Sample) {
		text := f.Sample[:n]
		_, _, plain := f.Parse("sample", strings.NewReader(text), intake.Options{})
		if w, _, _, err := mend(text); (err == nil) != (plain == nil) || err == nil && w.Validate() != nil {
			t.Fatalf("the first %d bytes: %v, without repair %v", n, err, plain)
		}
	}
}

func (f Format) limit(t *testing.T, jobs int) {
	if _, _, err := f.Parse("sample", strings.NewReader(f.Sample), intake.Options{MaxJobs: jobs}); err != nil {
		t.Errorf("a limit of exactly the jobs there are: %v", err)
	}
	_, _, err := f.Parse("sample", strings.NewReader(f.Sample), intake.Options{MaxJobs: jobs - 1})
	if err == nil || !strings.Contains(err.Error(), "the limit that keeps memory bounded") {
		t.Errorf("a limit one below gives the error %v", err)
	}
}

// files: the same through the file system, and the errors of that way.
func (f Format) files(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sample")
	if err := os.WriteFile(path, []byte(f.Sample), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := intake.File(path, intake.Options{}, f.Parse); err != nil {
		t.Error(err)
	}
	if _, _, err := intake.File(filepath.Join(dir, "absent"), intake.Options{}, f.Parse); !os.IsNotExist(err) {
		t.Errorf("an absent file gives the error %v", err)
	}
	if _, _, err := intake.File(dir, intake.Options{}, f.Parse); err == nil ||
		!strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder gives the error %v", err)
	}
}

// Wrong is the name of a case, its input and the whole error that a strict reading gives.
type Wrong [3]string

// TestWrong reads each input strictly as the file "f" and compares the whole message;
// a lenient reading must not panic.
func TestWrong(t *testing.T, parse intake.Parse, cases []Wrong) {
	t.Helper()
	if len(cases) < 10 {
		t.Errorf("%d wrong inputs, expected at least 10", len(cases))
	}
	for _, c := range cases {
		name, input, want := c[0], c[1], c[2]
		t.Run(name, func(t *testing.T) {
			_, _, err := parse("f", strings.NewReader(input), intake.Options{Strict: true})
			if err == nil {
				t.Fatal("no error")
			}
			if err.Error() != want {
				t.Errorf("got\n%s\nwant\n%s", err, want)
			}
			if w, _, err := parse("f", strings.NewReader(input), intake.Options{}); err == nil {
				if err := w.Validate(); err != nil {
					t.Errorf("a lenient reading gives a workload that is not one: %v", err)
				}
			}
		})
	}
}

// Fuzz runs a reader on arbitrary bytes: it must not panic, and what it gives must be
// a workload.
func Fuzz(f *testing.F, parse intake.Parse, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, strict bool) {
		w, report, err := parse("f", bytes.NewReader(data), intake.Options{Strict: strict, MaxJobs: 10_000})
		if err != nil {
			return
		}
		if err := w.Validate(); err != nil {
			t.Fatal(err)
		}
		if report.Kept != len(w.Jobs) || report.Rows < report.Kept {
			t.Fatalf("%d jobs, but the report states %v", len(w.Jobs), report)
		}
	})
}

// Gzip compresses a text.
func Gzip(t testing.TB, text string) []byte { return compressed(t, ".gz", text) }

// Zstd compresses a text.
func Zstd(t testing.TB, text string) []byte { return compressed(t, ".zst", text) }

func compressed(t testing.TB, ending, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := tabular.Compress(&b, ending)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Shared gives the path of a file in the folder traces of the shared data. The test is skipped when
// it is absent.
func Shared(t testing.TB, name string) string {
	t.Helper()
	return sharedata.Path(t, "traces", name)
}

// Case gives the path of a file among the cases, small inputs from users; see Shared.
func Case(t testing.TB, name string) string {
	t.Helper()
	return sharedata.Path(t, "cases", name)
}
