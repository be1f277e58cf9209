package swf

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

func TestPublishedFormat(t *testing.T) {
	unique := strings.Replace(sample, "  4     50    0    5", "  6     50    0    5", 1)
	tracetest.Test(t, tracetest.Format{Parse: Published{}.Parse, Sample: unique, Unlisted: 1,
		Duplicate: unique + "3 45 0 100 -1 -1 -1 8 900 -1 0 4 2 -1 -1 -1 -1 -1\n"})
}

// Each rule in which the published reading differs from the reader's own.
func TestPublishedRules(t *testing.T) {
	const log = `; c
1 7 -1 60 4 -1 -1 8 70 -1 1 3 2 -1 1 -1 -1 -1
2 9 -1 -1 -1 -1 -1 4 -1 -1 5 3 2 -1 1 -1 -1 -1
3 12 -1 0 4 -1 -1 4 70 -1 1 3 2 -1 1 -1 -1 -1
4 12 -1 -5 2 -1 -1 1 2147483647 -1 2 -1 -1 -1 -1 -1 -1 -1
6 11 -1 5 2 -1 -1 1 6 -1 1 -1 -1 -1 -1 -1 -1 -1
`
	w, report, err := Published{}.Parse("s", strings.NewReader(log), intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []sim.Job{
		{ID: "1", Submit: 7 * sim.Second, GPUs: 8, Work: 480 * sim.Second, User: "3", Group: "2", VC: "1",
			Request: 70 * sim.Second, State: "completed"},
		{ID: "2", Submit: 9 * sim.Second, GPUs: 4, Work: 40 * sim.Second, User: "3", Group: "2", VC: "1", Request: 10 *
			sim.Second, Drawn: origin.Request, State: "cancelled"},
		{ID: "6", Submit: 11 * sim.Second, GPUs: 2, Work: 10 * sim.Second, Request: 6 * sim.Second, State: "completed"},
		{ID: "4", Submit: 12 * sim.Second, GPUs: 2, Work: 20 * sim.Second, State: "part"},
	}
	if len(w.Jobs) != len(want) {
		t.Fatalf("%d jobs, expected %d", len(w.Jobs), len(want))
	}
	for i, j := range want {
		if w.Jobs[i] != j {
			t.Errorf("got %+v, want %+v", w.Jobs[i], j)
		}
	}
	if text := report.String(); !strings.Contains(text, "the job shows no run time") ||
		!strings.Contains(text, "1 jobs have a lower number, or an earlier submit") {
		t.Errorf("the report is %q", text)
	}
}

func TestPublishedWrong(t *testing.T) {
	row := func(first string) string { return first + " -1 -1 4 70 -1 1 3 2 -1 1 -1 -1 -1\n" }
	tracetest.TestWrong(t, Published{}.Parse, []tracetest.Wrong{
		{"empty", "", `f: no job can be kept: it holds no rows`},
		{"only comments", "; a\n;b\n", `f: no job can be kept: it holds no rows`},
		{"short line", "1 2 3\n", `f:1: 3 fields, expected 18`},
		{"shortest line", "1 2 3 4\n", `f:1: 4 fields, expected 18`},
		{"negative submit", row("1 -5 10 60 4"), `f:1: column "submit" is "-5", expected seconds >= 0`},
		{"run in words", row("1 5 10 long 4"), `f:1: column "run" is "long", expected seconds >= 0`},
		{"infinite run", row("1 5 10 inf 4"), `f:1: column "run" is "inf", expected seconds >= 0`},
		{"processors in words", row("1 5 10 60 four"),
			`f:1: column "allocated" is "four", expected a whole number from -1 to 1000000`},
		{"job in words", row("one 5 10 60 4"), `f:1: column "job" is "one", expected a whole number >= 0`},
		{"status", strings.Replace(row("1 5 10 60 4"), "-1 1 3", "-1 done 3", 1),
			`f:1: column "status" is "done", expected a whole number >= -1`},
		{"no processors", "1 5 10 60 -1 -1 -1 -1 70 -1 1 3 2 -1 1 -1 -1 -1\n",
			`f: no job can be kept of 1 rows: 1 dropped: the job shows no processors (f:1)`},
		{"nothing ran", row("1 5 10 0 4"),
			`f: no job can be kept of 1 rows: 1 dropped: the job shows no run time (f:1)`},
	})
}
