package parquetfmt

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/traces/intake"
)

func encode(t testing.TB, w *sim.Workload) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, w); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// raw is a workload that has not been checked, so that wrong jobs can be written.
func raw(change func(*sim.Job)) *sim.Workload {
	w := &sim.Workload{Name: "raw", Jobs: []sim.Job{{ID: "a", GPUs: 1, Work: 5}, {ID: "b", GPUs: 2, Work: 5}}}
	change(&w.Jobs[1])
	return w
}

func TestRoundTripKeepsNameAndOrigins(t *testing.T) {
	w, err := sim.NewWorkload("synth:x", []sim.Job{{ID: "b", Submit: 7, GPUs: 2, Work: 9, Drawn: 3},
		{ID: "a", Submit: 3, GPUs: 1, Work: 1}},
		origin.Origin{Field: "model", Source: "drawn"})
	if err != nil {
		t.Fatal(err)
	}
	got, report, err := Parse("s", bytes.NewReader(encode(t, w)), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, w) || report.Rows != 2 || report.Kept != 2 {
		t.Errorf("wrote %+v, read %+v, report %v", w, got, report)
	}
}

func TestWrong(t *testing.T) {
	whole := encode(t, raw(func(*sim.Job) {}))
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "f: 0 bytes are no Parquet file"},
		{"cut off", whole[:len(whole)-2],
			`f: the file ends in "\x00\x00PA", a complete Parquet file in "PAR1": is it cut off?`},
		{"text", []byte(strings.Repeat("id,submit_s\n", 9)),
			`f: the file ends in "t_s\n", a complete Parquet file in "PAR1": is it cut off?`},
		{"no GPUs", encode(t, raw(func(j *sim.Job) { j.GPUs = 0 })),
			`f:2: column "gpus" is "0", expected a whole number from 1 to 1000000`},
		{"negative submit", encode(t, raw(func(j *sim.Job) { j.Submit = -4 })),
			`f:2: column "submit_us" is "-4", expected microseconds >= 0`},
		{"no work", encode(t, raw(func(j *sim.Job) { j.Work = 0 })),
			`f:2: column "work_us" is "0", expected microseconds > 0`},
		{"id twice", encode(t, raw(func(j *sim.Job) { j.ID = "a" })),
			`f:2: job id "a" appears twice, expected unique ids`},
		{"no id", encode(t, raw(func(j *sim.Job) { j.ID = "" })), "f:2: the job has no id, expected a name"},
		{"not UTF-8", encode(t, raw(func(j *sim.Job) { j.User = "\xff" })),
			`f:2: column "user" is "\xff", expected UTF-8 text`},
		{"share of several", encode(t, raw(func(j *sim.Job) { j.ShareMilli = 3 })),
			"f:2: the job asks for 3 thousandths of 2 GPUs, expected a share only on 1 GPU"},
		{"negative iterations", encode(t, raw(func(j *sim.Job) { j.Iterations = -1 })),
			`f:2: column "iterations" is "-1", expected a whole number >= 0`},
		{"no jobs", encode(t, &sim.Workload{Name: "none"}), "f: no job can be kept: it holds no rows"},
	} {
		_, _, err := Parse("f", bytes.NewReader(c.data), intake.Options{Strict: true})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got\n%v\nwant\n%s", c.name, err, c.want)
		}
	}
	_, _, err := Parse("f", bytes.NewReader(whole), intake.Options{MaxJobs: 1})
	if err == nil || err.Error() != "f: 2 jobs, more than the limit of 1 that keeps memory bounded: read a part of "+
		"the trace or raise the limit" {
		t.Errorf("the limit: %v", err)
	}
}

func TestLenientReadingDropsAndCounts(t *testing.T) {
	w, report, err := Parse("f", bytes.NewReader(encode(t, raw(func(j *sim.Job) { j.Work = 0 }))), intake.Options{})
	if err != nil || len(w.Jobs) != 1 || report.Wrong() != 1 {
		t.Errorf("%v, %v", report, err)
	}
}

// A NULL is refused with its row and column, or its row dropped and counted; times of a declared
// unit are read by it.
func TestNulls(t *testing.T) {
	data, err := os.ReadFile("../jobfile/testdata/null.parquet")
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = Parse("f", bytes.NewReader(data), intake.Options{Strict: true})
	if want := "f:2: column \"submit_us\" is \"NULL\", expected microseconds >= 0\nf:3: column \"work_us\" is " +
		"\"NULL\", expected microseconds > 0"; err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	w, report, err := Parse("f", bytes.NewReader(data), intake.Options{})
	if err != nil || len(w.Jobs) != 1 || report.Wrong() != 2 || w.Jobs[0].Submit != 0 ||
		w.Jobs[0].Work != 5*sim.Second {
		t.Errorf("%+v, %v, error %v", w, report, err)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "w.parquet")
	if err := os.WriteFile(path, encode(t, raw(func(*sim.Job) {})), 0o600); err != nil {
		t.Fatal(err)
	}
	if w, _, err := Read(path, intake.Options{}); err != nil || len(w.Jobs) != 2 {
		t.Errorf("%v", err)
	}
	if _, _, err := Read(filepath.Join(dir, "absent"), intake.Options{}); !os.IsNotExist(err) {
		t.Errorf("an absent file gives the error %v", err)
	}
}

// A folder of files is one list.
func TestParts(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := Read(dir, intake.Options{}); err == nil || err.Error() != dir+": a folder without files that "+
		"end in .parquet" {
		t.Errorf("an empty folder gives the error %v", err)
	}
	put("part.0.parquet", encode(t, raw(func(*sim.Job) {})))
	put("part-00001-c000.snappy.parquet", encode(t, &sim.Workload{Name: "raw",
		Jobs: []sim.Job{{ID: "c", Submit: 1, GPUs: 1, Work: 5}}}))
	for _, name := range []string{"_SUCCESS", "_metadata", ".part.0.parquet.crc", "notes.txt"} {
		put(name, []byte("not jobs"))
	}
	w, report, err := Read(dir, intake.Options{Strict: true})
	if err != nil || len(w.Jobs) != 3 || w.Jobs[2].ID != "c" || report.Rows != 3 {
		t.Errorf("%+v, %v, error %v", w, report, err)
	}
	if _, _, err := Read(dir, intake.Options{MaxJobs: 2}); err == nil ||
		!strings.Contains(err.Error(), "3 jobs, more than the limit of 2") {
		t.Errorf("the limit: %v", err)
	}
	put("part.1.parquet", encode(t, raw(func(*sim.Job) {})))
	if _, _, err := Read(dir, intake.Options{Strict: true}); err == nil ||
		!strings.Contains(err.Error(), filepath.Join(dir, "part.1.parquet")+`:1: job id "a" appears twice`) {
		t.Errorf("the same jobs in two files: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "vc=a"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Read(dir, intake.Options{}); err == nil ||
		!strings.Contains(err.Error(), "write the table without partitions by column") {
		t.Errorf("a folder of partitions: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	whole := encode(f, raw(func(*sim.Job) {}))
	f.Add(whole)
	f.Add(whole[:len(whole)-9])
	f.Add([]byte("PAR1PAR1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		w, _, err := Parse("f", bytes.NewReader(data), intake.Options{MaxJobs: 1000})
		if err != nil {
			return
		}
		if err := w.Validate(); err != nil {
			t.Fatal(fmt.Errorf("not a workload: %w", err))
		}
	})
}
