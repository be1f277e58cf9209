package app

import (
	"bytes"
	"regexp"
	"testing"
	"time"

	"tarry/run/trial"
	"tarry/sim"
)

// TestProgressWithoutATerminal: nothing in the first second, then whole lines now and then, no
// carriage returns, and at the end what was reused.
func TestProgressWithoutATerminal(t *testing.T) {
	w := &sim.Workload{Jobs: make([]sim.Job, 100)}
	var out bytes.Buffer
	p := newProgress(&out, []trial.Trial{{Workload: w}, {Workload: w}})
	p.jobs(0, 10)
	if out.Len() != 0 {
		t.Errorf("said %q in the first second", out.String())
	}
	p.start, p.said = p.start.Add(-10*time.Second), p.start.Add(-10*time.Second)
	p.trial(0, &trial.Result{Reused: true}, nil)
	p.jobs(0, 90)
	p.jobs(1, 1)
	p.close()
	want := regexp.MustCompile(
		`^100 of 200 jobs, 1 of 2 trials, \d+ jobs/s, \d+s left\n1 of 2 trials were complete already and were not run again\n$`)
	if !want.MatchString(out.String()) {
		t.Errorf("said %q", out.String())
	}
}
