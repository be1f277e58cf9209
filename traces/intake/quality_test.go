package intake

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/account"
	"tarry/sim/tabular"
)

// Rows out of order, without a zone and given twice are counted, and so are jobs that are cut off.
func TestWhatAReadingSees(t *testing.T) {
	c := New("f", Options{})
	const start = 1_700_000_000 * sim.Second
	for i, j := range []sim.Job{
		{ID: "a", Submit: start + 50*sim.Second, State: "Pass"}, {ID: "b", Submit: start + 20*sim.Second, State: "RUNNING"},
		{ID: "c", Submit: start + 40*sim.Second}, {ID: "a", Submit: start + 50*sim.Second, State: "Pass"},
		{ID: "c", Submit: start}, {ID: "d", Submit: start + 60*sim.Second}, {ID: "e", Submit: start + 60*sim.Second},
	} {
		j.GPUs, j.Work = 1, 5
		r := row(i + 1)
		r.Local = i < 2
		c.Ends(start + sim.Time(100+i/5)*sim.Second) // d and e at the last instant
		if err := c.Keep(r, j); err != nil {
			t.Fatal(err)
		}
	}
	c.Cut("not there")
	_, r, err := c.Finish("w", FromFirst)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprintln(r.StartMicros-int64(start), r.Local, r.Late, r.LateMicros, r.LateAt, r.Copies, r.SameID,
		r.Cut), "20000000 2 2 30000000 f:2 1 1 [b d e]\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(r.Dropped) != 2 || r.Dropped[0].Text != "the row is a copy of an earlier one: the job id appears twice" ||
		r.Wrong() != 2 {
		t.Errorf("dropped %+v", r.Dropped)
	}
}

// One job that ends last is no sign of an end of the log, and a clock of its own has no date.
func TestOneLastJob(t *testing.T) {
	c := New("f", Options{})
	for i := range 3 {
		c.Ends(sim.Time(100 + i))
		keep(t, c, i, sim.Job{ID: fmt.Sprint(i), Submit: 5 * sim.Second, GPUs: 1, Work: 5})
	}
	if _, r, err := c.Finish("w", FromFirst); err != nil || len(r.Cut) > 0 || r.StartMicros != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	for since, want := range map[int64]int64{0: 0, -1: 0, 843_480_031: 843_480_036_000_000, 1 << 62: 0} {
		c := New("f", Options{})
		c.Since(since)
		keep(t, c, 1, sim.Job{ID: "a", Submit: 5 * sim.Second, GPUs: 1, Work: 5})
		if _, r, err := c.Finish("w", FromFirst); err != nil || r.StartMicros != want {
			t.Errorf("since %d: %+v, %v", since, r, err)
		}
	}
}

// A repair gives jobs with a common id others, which no job has, in little time.
func TestFreeIDs(t *testing.T) {
	r := &account.Repair{Rules: []string{account.Ids, account.WrongRows}}
	c := New("f", Options{Repair: r})
	const n = 20_000
	for i := range n {
		keep(t, c, i+1, sim.Job{ID: "a", GPUs: 1, Work: sim.Time(1 + i)})
	}
	long := strings.Repeat("x", MaxName)
	keep(t, c, n+1, sim.Job{ID: long, GPUs: 1, Work: 1})
	if err := c.Keep(row(n+2), sim.Job{ID: long, GPUs: 1, Work: 2}); err != nil {
		t.Fatal(err)
	}
	keep(t, c, n+3, sim.Job{ID: "a-7", GPUs: 1, Work: 77})
	if err := c.Reject(&tabular.Fault{File: "f", Line: n + 4, Column: "gpus", Value: "x", Want: "a number"}); err != nil {
		t.Fatal(err)
	}
	w, report, err := c.Finish("w", AsWritten)
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Jobs) != n+2 || report.Wrong() != 2 || report.SameID != n+1 {
		t.Errorf("%d jobs, %v", len(w.Jobs), report)
	}
	if !slices.ContainsFunc(w.Jobs, func(j sim.Job) bool { return j.ID == "a-7-2" && j.Work == 77 }) {
		t.Error("no job a-7-2")
	}
	got := r.Changes[len(r.Changes)-3:]
	want := []account.Change{
		{Row: n + 2, ID: long, Field: "work_s", Before: "0.000002", After: account.Dropped, Rule: account.WrongRows,
			Why: "another job has the id: it appears twice"},
		{Row: n + 3, ID: "a-7", Field: "id", Before: "a-7", After: "a-7-2", Rule: account.Ids,
			Why: "another job has the id: it appears twice"},
		{Row: n + 4, Field: "gpus", Before: "x", After: account.Dropped, Rule: account.WrongRows,
			Why: `column "gpus": expected a number`}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
