package app

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
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
	p := newProgress(&out, auto, []trial.Trial{{Workload: w}, {Workload: w}})
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

// TestProgressInJSON: lines that a program reads, of every tenth of a second, and none where none is
// asked for.
func TestProgressInJSON(t *testing.T) {
	w := &sim.Workload{Jobs: make([]sim.Job, 100)}
	for _, how := range []form{inJSON, silent} {
		var out bytes.Buffer
		p := newProgress(&out, how, []trial.Trial{{Workload: w}})
		p.start, p.said = p.start.Add(-10*time.Second), p.start.Add(-10*time.Second)
		p.jobs(0, 30)
		p.jobs(0, 30) // too soon after the one before
		p.close()
		var line struct {
			Progress, Text string
			Done, Total    int
		}
		if how == silent {
			if out.Len() != 0 {
				t.Errorf("none says %q", out.String())
			}
			continue
		}
		if err := json.Unmarshal(out.Bytes(), &line); err != nil || line.Progress != "jobs" || line.Done != 30 ||
			line.Total != 100 || line.Text == "" || bytes.Count(out.Bytes(), []byte("\n")) != 1 {
			t.Errorf("said %q, %v", out.String(), err)
		}
	}
}

// TestProgressOfASweep: the last line states all cells, and a wrong form is an error.
func TestProgressOfASweep(t *testing.T) {
	dir := t.TempDir()
	s := good(t, dir, "sweep", sweepFile(t, dir, fewCells), "--out", "few", "--jobs", "1", "--progress", "json")
	if !strings.Contains(s.errors, `{"progress":"cells","done":4,"total":4,"text":"few: 4 of 4 cells done`) {
		t.Errorf("said %s", s.errors)
	}
	for _, command := range []string{"train", "tune", "eval", "sweep", "reproduce", "simulate", "compare"} {
		if s := tarry(t, dir, command, "--progress", "jsn"); s.code != exitUsage ||
			!strings.Contains(s.errors, `--progress: "jsn", expected auto, json or none`) {
			t.Errorf("%s: %d %s", command, s.code, s.errors)
		}
	}
}
