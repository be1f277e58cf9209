package jsonlfmt

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
	"tarry/sim/recorded"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const sample = `{"id":"a","submit_s":0,"gpus":1,"work_s":10,"model":"VGG-16"}
{"id": "b", "submit_s": 1.000001, "gpus": 8.0, "work_s": "0.5", "deadline_s": 9.5, "user": null}
{"gpus":2,"id":3,"submit_s":1e3,"work_s":7,"iter_s":NaN}
`

func TestFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Parse: Parse, Sample: sample,
		Duplicate: sample + `{"id":"b","submit_s":2,"gpus":1,"work_s":1}` + "\n"})
}

func TestFields(t *testing.T) {
	list := "[" + strings.Join(strings.Split(strings.TrimSpace(strings.ReplaceAll(sample, "NaN", "null")), "\n"), ",\n") +
		"]\n"
	for _, text := range []string{sample, list} {
		w, _, err := Parse("s", strings.NewReader(text), intake.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []sim.Job{{ID: "a", GPUs: 1, Work: 10 * sim.Second, Model: "VGG-16"},
			{ID: "b", Submit: 1_000_001, GPUs: 8, Work: sim.Second / 2, Deadline: 9_500_000},
			{ID: "3", Submit: 1000 * sim.Second, GPUs: 2, Work: 7 * sim.Second}} {
			if w.Jobs[i] != want {
				t.Errorf("got %+v, want %+v", w.Jobs[i], want)
			}
		}
	}
}

// What pandas writes of timestamps is milliseconds since 1970, and a note states so.
func TestTimestampsOfPandas(t *testing.T) {
	w, report, err := Parse("s", strings.NewReader(`{"submit":1709280000000,"gpus":1,"duration_s":5,"note":"x"}
{"submit":1709280001500,"gpus":1,"duration_s":5,"note":{"a":[1,"]"]}}
`), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(report.Notes, "|")
	if w.Jobs[0].Submit != 0 || w.Jobs[1].Submit != 1_500_000 || w.Jobs[1].ID != "1" ||
		!strings.Contains(notes, "milliseconds since 1970") || !strings.Contains(notes, `column "note" is no column`) {
		t.Errorf("%+v, notes %s", w.Jobs, notes)
	}
}

func TestRoundTrip(t *testing.T) {
	w, err := sim.NewWorkload("jsonl", []sim.Job{
		{ID: `a "q"`, Submit: 1, GPUs: 4, MinGPUs: 2, MaxGPUs: 8, WorkerGPUs: 2, Work: 123_456_789_012, Iterations: 7,
			IterS: 0.1, BatchSize: 3, Model: "ü<b>", User: "u", Group: "g", VC: "v\n", GPUType: "T", State: "s",
			Request: 5, Deadline: 6, CPUMilli: 9, MemMiB: 8, GPUMiB: 7, GPUUtilFrac: 0.3, Priority: -2,
			Drawn: origin.Model | origin.User, Record: &recorded.Run{Wait: 3, Machines: "m1*4,m2"}},
		{ID: "b", GPUs: 1, Work: 1, ShareMilli: 250, Record: &recorded.Run{}}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, w); err != nil {
		t.Fatal(err)
	}
	got, report, err := Parse("s", bytes.NewReader(b.Bytes()), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Jobs {
		want := w.Jobs[i]
		want.VC = strings.TrimSpace(want.VC)
		if !reflect.DeepEqual(got.Jobs[i], want) {
			t.Errorf("wrote %+v, read %+v", want, got.Jobs[i])
		}
	}
	if len(report.Notes) > 0 {
		t.Errorf("notes %v", report.Notes)
	}
}

// A folder of files is one list.
func TestParts(t *testing.T) {
	dir := t.TempDir()
	for i, line := range strings.Split(strings.TrimSpace(sample), "\n") {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%d.json", i)), []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, _, err := Read(dir, intake.Options{Strict: true})
	if err != nil || len(w.Jobs) != 3 {
		t.Errorf("%+v, error %v", w, err)
	}
}

func TestKeys(t *testing.T) {
	for text, want := range map[string]string{sample: "id submit_s gpus work_s model",
		" [ {\"a\": [1,{}], \"b\":2}": "a b", "": "", "id,gpus": "", `{"a":`: "", "[1": ""} {
		if got := strings.Join(Keys(text), " "); got != want {
			t.Errorf("%q has the keys %q, expected %q", text, got, want)
		}
	}
}

func TestWrong(t *testing.T) {
	const first = `{"id":"a","submit_s":0,"gpus":1,"work_s":10}` + "\n"
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "", `f: the file is empty, expected a JSON object on each line`},
		{"CSV", "id,submit_s\n", `f:1: 'i' at column 1, expected a JSON object`},
		{"columns of pandas", `{"submit_s":{"0":1},"gpus":{"0":1},"work_s":{"0":1}}`,
			"f:1: column \"submit_s\" holds an object, expected one value in each row: of pandas write the table with " +
				"orient=\"records\", lines=True\nf:1: column \"gpus\" holds an object, expected one value in each row: " +
				"of pandas write the table with orient=\"records\", lines=True\nf:1: column \"work_s\" holds an object, " +
				"expected one value in each row: of pandas write the table with orient=\"records\", lines=True"},
		{"half a GPU", first + `{"id":"b","submit_s":0,"gpus":2.5,"work_s":1}`,
			`f:2: column "gpus" is "2.5", expected a whole number from 1 to 1000000`},
		{"a truth", first + `{"id":"b","submit_s":0,"gpus":true,"work_s":1}`,
			`f:2: column "gpus" is "true", expected a whole number from 1 to 1000000`},
		{"infinite", first + `{"id":"b","submit_s":0,"gpus":1,"work_s":Infinity}`,
			`f:2: column "work_s" is "Infinity", expected seconds > 0`},
		{"missing", first + `{"id":"b","submit_s":0,"work_s":1}`,
			`f:2: column "gpus" is "NULL", expected a whole number from 1 to 1000000`},
		{"cut off", first + `{"id":"b","submit_s":0,"wo`, `f:2: a text has no closing quote: is the line cut off?`},
		{"no value", first + `{"id":"b","submit_s":,"gpus":1}`, `f:2: ',' at column 22, expected a value of JSON`},
		{"hexadecimal", first + `{"id":"b","submit_s":0x1}`, `f:2: '0' at column 22, expected a value of JSON`},
		{"a key twice", first + `{"id":"b","submit_s":0,"gpus":1,"gpus":2,"work_s":1}`,
			`f:2: key "gpus" appears twice`},
		{"text behind", first + first[:len(first)-1] + ",", `f:2: ',' at column 45 behind the object, expected the ` +
			`end of the line`},
		{"misspelt key", first + `{"id":"b","submit_s":0,"gpus":1,"work_s":1,"usr":"x"}`, `f:2: unknown column "usr", ` +
			`did you mean "user"? (--trace-columns user=usr reads it so, trace_columns in files and Python; usr=- leaves ` +
			`a column out)`},
	})
}

func FuzzParse(f *testing.F) {
	tracetest.Fuzz(f, Parse, sample, `[{"submit":1,"gpus":"2","duration_min":3}]`, `{"a":[{"b":"\u0041\"]"}],"id":1}`)
}
