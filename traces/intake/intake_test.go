package intake

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/internal/natural"
	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/tabular"
)

func row(line int) *tabular.Row { return tabular.NewRow("f", line, line, nil, nil) }

func keep(t *testing.T, c *Collector, line int, j sim.Job) {
	t.Helper()
	if err := c.Keep(row(line), j); err != nil {
		t.Fatal(err)
	}
}

func TestTheFirstKeptJobIsAtZero(t *testing.T) {
	c := New("f", Options{})
	keep(t, c, 1, sim.Job{ID: "a", Submit: 90, GPUs: 1, Work: 1, Deadline: 95})
	keep(t, c, 2, sim.Job{ID: "b", Submit: 70, GPUs: 1, Work: 1, Deadline: 60})
	keep(t, c, 3, sim.Job{ID: "c", Submit: 10, GPUs: 0, Work: 1}) // dropped: does not set the clock
	w, report, err := c.Finish("w", FromFirst, origin.Origin{Field: "work", Source: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if w.Jobs[0].ID != "b" || w.Jobs[0].Submit != 0 || w.Jobs[1].Submit != 20 || w.Jobs[1].Deadline != 25 {
		t.Errorf("jobs %+v", w.Jobs)
	}
	if last := w.Origins[len(w.Origins)-1]; last.Field != "submit" || !strings.Contains(last.Source, "7e-05s") {
		t.Errorf("origins %v", w.Origins)
	}
	if report.Rows != 3 || report.Kept != 2 || report.Wrong() != 1 {
		t.Errorf("%v", report)
	}
}

func TestOrderOfManyJobs(t *testing.T) {
	c := New("f", Options{})
	const n = 5*chunk + 17
	for i := range n {
		keep(t, c, i, sim.Job{ID: fmt.Sprint(n - i), Submit: sim.Time(i * 7919 % 50), GPUs: 1, Work: 1, User: "u" +
			fmt.Sprint(i%3)})
	}
	w, _, err := c.Finish("w", AsWritten)
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Jobs) != n || !slices.IsSortedFunc(w.Jobs, func(a, b sim.Job) int {
		if a.Submit != b.Submit {
			return int(a.Submit - b.Submit)
		}
		return natural.Compare(a.ID, b.ID)
	}) {
		t.Errorf("%d jobs, not in the order of submits and ids", len(w.Jobs))
	}
}

func TestNamesAreShared(t *testing.T) {
	c := New("f", Options{})
	line := "alice,bob"
	a, b := c.Text(line[:5]), c.Text(strings.Clone("alice"))
	if a != "alice" || allocs(func() { c.Text("alice") }) > 0 || len(c.texts) != 1 || a != b {
		t.Error("the same name is kept twice")
	}
}

func allocs(f func()) float64 { return testing.AllocsPerRun(100, f) }

func TestReportCountsByReason(t *testing.T) {
	c := New("f", Options{})
	for i := range 7 {
		c.Skip(row(i+1), "normal")
	}
	for i := range 500 {
		if err := c.Reject(&tabular.Fault{File: "f", Line: i, Want: fmt.Sprintf("reason %d", i)}); err != nil {
			t.Fatal(err)
		}
	}
	_, report, err := c.Finish("w", FromFirst)
	if err == nil || !strings.HasPrefix(err.Error(), "f: no job can be kept of 507 rows: 7 dropped: normal (f:1); 1 "+
		"dropped: reason 0 (f:0: reason 0)") {
		t.Errorf("got %v", err)
	}
	if report.Wrong() != 500 || len(report.Dropped) != 101 || len(report.Dropped[0].Examples) != 3 {
		t.Errorf("%d wrong under %d reasons, %v", report.Wrong(), len(report.Dropped), report.Dropped[0])
	}
	report.Notes = []string{"remark"}
	report.Dropped = report.Dropped[:1]
	if want := "f: 0 jobs kept of 507 rows\n  7 dropped: normal (f:1; f:2; f:3)\n  note: " +
		"remark\n"; report.String() != want {
		t.Errorf("got %q, want %q", report.String(), want)
	}
}

func TestStrictTellsTwenty(t *testing.T) {
	c := New("f", Options{Strict: true})
	for i := range 19 {
		if err := c.Reject(&tabular.Fault{File: "f", Line: i, Want: "w"}); err != nil {
			t.Fatalf("stopped after %d faults", i+1)
		}
	}
	if err := c.Reject(&tabular.Fault{File: "f", Line: 20, Want: "w"},
		&tabular.Fault{File: "f", Line: 20, Want: "v"}); err == nil ||
		strings.Count(err.Error(), "\n") != 20 || !strings.HasSuffix(err.Error(),
		"f: reading stopped after 20 faults") {
		t.Errorf("got %v", err)
	}
}

func TestWorkOnAShare(t *testing.T) {
	for _, c := range []struct {
		micros int64
		milli  int32
		want   sim.Time
	}{{1000, 250, 250}, {1000, 0, 1000}, {1000, 1000, 1000}, {3, 500, 2}, {1, 1, 1}, {0, 500, 0}, {-5, 500, sim.Never},
		{math.MaxInt64, 1000, math.MaxInt64}} {
		if got := ShareWork(c.micros, c.milli); got != c.want {
			t.Errorf("%d us on %d thousandths gave %d us of work, want %d", c.micros, c.milli, got, c.want)
		}
	}
}

func TestWorkDoesNotOverflow(t *testing.T) {
	for _, c := range []struct {
		micros int64
		gpus   int32
		want   sim.Time
	}{{5, 3, 15}, {0, 3, 0}, {-1, 3, sim.Never}, {5, -3, sim.Never}, {math.MaxInt64, 2, sim.Never},
		{math.MaxInt64, 1 << 30, sim.Never}, {1e17, 64, 64e17}} {
		if got := Work(c.micros, c.gpus); got != c.want {
			t.Errorf("Work(%d, %d) = %d, want %d", c.micros, c.gpus, got, c.want)
		}
	}
}

// A job that would cost an endless run is refused with the bound.
func TestBoundsOfAJob(t *testing.T) {
	good := sim.Job{ID: "a", GPUs: 2, Submit: 10_000_000_000 * sim.Second, Work: 2_000_000_000 * sim.Second,
		Iterations: 5, IterS: 1e-6}
	for want, change := range map[string]func(*sim.Job){
		"": func(*sim.Job) {},
		"f:1: the job runs for 1.0000000005e+09s on each of its 2 GPUs, " +
			"expected at most 1e+09s (31.7 years)": func(j *sim.Job) {
			j.Work += sim.Second
		},
		"f:1: the job's submit is 1.0000000001e+10s, expected 0 to 1e+10s": func(j *sim.Job) {
			j.Submit += sim.Second
		},
		"f:1: a name of the job has 4097 bytes, expected at most 4096": func(j *sim.Job) {
			j.User = strings.Repeat("u", MaxName+1)
		},
		"f:1: an iteration of the job takes 1e-07 s, expected 0 (unknown) or at least 1e-06s": func(j *sim.Job) {
			j.IterS = 1e-7
		},
		"f:1: the job has 11 iterations in 1e-05s of work, expected at most one in 1e-06s": func(j *sim.Job) {
			j.Work, j.Iterations = 10, 11
		},
	} {
		j := good
		change(&j)
		c := New("f", Options{Strict: true})
		err := c.Keep(row(1), j)
		if err == nil {
			_, _, err = c.Finish("w", AsWritten)
		}
		if got := fmt.Sprint(err); got != want && (want != "" || err != nil) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A file of wrong rows ends the reading, however well it is compressed; so do rows that are left
// out.
func TestRowsThatAreNoJobsAreBounded(t *testing.T) {
	c := New("f", Options{})
	if err := c.Keep(row(1), sim.Job{ID: "a", GPUs: 1, Work: 1}); err != nil {
		t.Fatal(err)
	}
	fault := &tabular.Fault{File: "f", Line: 7, Want: "wrong"}
	for n := 1; ; n++ {
		err := c.Reject(fault)
		if err == nil && n <= maxWrong+1 {
			continue
		}
		if want := "f:7: 1000002 rows are wrong and 1 kept, expected at most 1000000 and one for each that is kept; " +
			"the last: wrong"; n != maxWrong+2 || err == nil || err.Error() != want {
			t.Errorf("after %d wrong rows: %v, want %s", n, err, want)
		}
		break
	}
	c = New("f", Options{})
	c.skipped = maxSkipped - 1
	if err := c.Skip(row(2), "no GPU"); err != nil {
		t.Error(err)
	}
	if err := c.Skip(row(3), "no GPU"); err == nil || err.Error() != "f:3: 10000001 rows are left out (no GPU) and "+
		"0 kept, expected at most 10000000 and ten for each that is kept" {
		t.Errorf("the bound gives %v", err)
	}
}
