package swf

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const sample = `; Version: 2.2
; UnixStartTime: 846890245
  1      0   10   60   4  -1 -1   4   70 -1 1 3 2 -1 1 -1 -1 -1
  2     30   -1   -1  -1  -1 -1   4   70 -1 5 3 2 -1 1 -1 -1 -1
;a comment between
  3	   45    0  100  -1  -1 -1   8  2147483647 -1 0 4 2 -1 -1 -1 -1 -1
  4     50    0   10  16  -1 -1  -1   -1 -1 -1 -1 2 -1 2 -1 -1 -1
  4     50    0    5  16  -1 -1  -1   -1 -1 2 -1 2 -1 2 -1 -1 -1
  5     50    0    5  -1  -1 -1  -1   -1 -1 1 -1 2 -1 2 -1 -1 -1
`

func TestFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Parse: Parse, Sample: sample, Unlisted: 3,
		Duplicate: sample + "3 45 0 100 -1 -1 -1 8 900 -1 0 4 2 -1 -1 -1 -1 -1\n"})
}

func TestFields(t *testing.T) {
	w, _, err := Parse("s", strings.NewReader(sample), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	tracetest.Records(t, w, "1 10s -", "3 0s -", "4 0s -")
	for i, want := range []sim.Job{
		{ID: "1", GPUs: 4, Work: 240 * sim.Second, User: "3", Group: "2", VC: "1", Request: 70 * sim.Second,
			State: "completed"},
		{ID: "3", GPUs: 8, Submit: 45 * sim.Second, Work: 800 * sim.Second, User: "4", Group: "2", State: "failed"},
		{ID: "4", GPUs: 16, Submit: 50 * sim.Second, Work: 160 * sim.Second, Group: "2", VC: "2"},
	} {
		if w.Jobs[i] != want {
			t.Errorf("got %+v, want %+v", w.Jobs[i], want)
		}
	}
}

func TestWrong(t *testing.T) {
	row := func(first string) string { return "; c\n" + first + " -1 -1 4 70 -1 1 3 2 -1 1 -1 -1 -1\n" }
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "", `f: no job can be kept: it holds no rows`},
		{"only comments", "; a\n;b\n", `f: no job can be kept: it holds no rows`},
		{"short line", "1 2 3\n", `f:1: 3 fields, expected 18`},
		{"shortest line", "1 2 3 4\n", `f:1: 4 fields, expected 18`},
		{"negative submit", row("1 -5 10 60 4"), `f:2: column "submit" is "-5", expected seconds >= 0`},
		{"unknown submit", row("1 -1 10 60 4"), `f:2: column "submit" is "-1", expected seconds >= 0`},
		{"negative run", row("1 5 10 -60 4"), `f:2: column "run" is "-60", expected seconds >= 0`},
		{"infinite run", row("1 5 10 inf 4"), `f:2: column "run" is "inf", expected seconds >= 0`},
		{"processors in words", row("1 5 10 60 four"), "f:2: column \"allocated\" is \"four\", expected a whole " +
			"number from -1 to 1000000"},
		{"job in words", row("one 5 10 60 4"), `f:2: column "job" is "one", expected a whole number >= 0`},
		{"requested time in words", strings.Replace(row("1 5 10 60 4"), " 70 ", " long ", 1),
			`f:2: column "requested_time" is "long", expected seconds >= 0`},
		{"status", strings.Replace(row("1 5 10 60 4"), "-1 1 3", "-1 done 3", 1),
			`f:2: column "status" is "done", expected a whole number >= -1`},
		{"nothing ran", row("1 5 10 -1 4"),
			`f: no job can be kept of 1 rows: 1 dropped: the job shows no run time (f:2)`},
		{"too many processors", row("1 5 10 60 9000000"),
			`f:2: column "allocated" is "9000000", expected a whole number from -1 to 1000000`},
	})
}

func FuzzParse(f *testing.F) { tracetest.Fuzz(f, Parse, sample, ";\n", "1 2 3") }

// The header states how large the machine is: processors, or nodes where it names no processors;
// comments between the rows have no effect.
func TestProcessors(t *testing.T) {
	for head, want := range map[string]int{
		"": 0, "; MaxNodes: 151\n; MaxProcs: 2004\n": 2004, ";MaxProcs:128\n;MaxProcs: 256\n": 128,
		"; MaxNodes: 100 (of 2)\r\n": 100,
		";\tMaxProcs: many\n":        0, "; MaxProcs: -1\n": 0, "; Note: MaxProcs: 7\n": 0,
		"; MaxProcs:\n; MaxNodes: 9\n": 9, "; maxprocs : 12\n": 12, "#MAXNODES:\t3\n": 3, " ;MaxProcs: 5\n": 5,
	} {
		_, report, err := Parse("s", strings.NewReader(head+sample+"; MaxProcs: 5\n"), intake.Options{})
		if err != nil || report.Processors != want {
			t.Errorf("%q: %d processors, %v; expected %d", head, report.Processors, err, want)
		}
	}
}

// A log that went through data frames has floats: -1.0 is unknown as -1 is, users are named by
// whole numbers, and what is missing may be NaN.
func TestFloats(t *testing.T) {
	for _, c := range [][2]string{
		{"1 0 0 88 1 -1 -1 1 149 -1 1 3 -1 -1 2 -1 -1 -1", "1.0 0.0 -0.0 88.0 1.0 -1.0 -1.0 1.0 149.0 -1.0 1.0 3.0 " +
			"-1.0 -1.0 2.0 -1.0 -1.0 -1.0"},
		{"1 5.5 0 88 -1 -1 -1 2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1", "1 5.5 nan 88 NaN nan nan 2.0 NaN nan nan nan <NA> " +
			"NA nan nan nan nan"},
		{"1 0 0 100000 1 -1 -1 1 1000 -1 1 12 -1 -1 2 -1 -1 -1", "1e0 0e0 0 1e5 1e0 -1e0 -1 1 1e3 -1e+00 1 12.00 -1 " +
			"-1 2 -1 -1 -1"},
	} {
		want, _, err := Parse("s", strings.NewReader(c[0]), intake.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := Parse("s", strings.NewReader(strings.Replace(c[1], "1e0 ", "1 ", 1)),
			intake.Options{Strict: true})
		if err != nil || got.Hash() != want.Hash() {
			t.Errorf("%s gives %+v, error %v, expected %+v", c[1], got, err, want.Jobs)
		}
	}
}
