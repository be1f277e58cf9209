package app

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"tarry/experiments/engine"
	"tarry/experiments/sweep"
)

// TestSweepLine: the line is drawn when the next cell has started after one that ended, and not any
// more when the call is over.
func TestSweepLine(t *testing.T) {
	line := func(over bool) string {
		var out bytes.Buffer
		long := time.Now().Add(-time.Hour)
		p := &sweepProgress{w: &out, states: []sweep.State{sweep.Running, sweep.Waiting}, start: long, said: long,
			folder: &sweep.Folder{Dir: "DIR", Spec: sweep.Spec{Name: "some"}},
			count:  map[sweep.State]int{sweep.Running: 1, sweep.Waiting: 1}}
		p.event(engine.Event{Index: 0, State: sweep.Done})
		p.event(engine.Event{Index: 1, State: sweep.Running})
		if over {
			p.close()
		}
		p.draw() // the timer may have been faster
		p.mu.Lock()
		defer p.mu.Unlock()
		first, _, _ := strings.Cut(out.String(), "\n")
		return first
	}
	if got, want := line(false), "some: 1 of 2 cells done, 1 running, 0.000278 cells/s, 1h0m0s left"; got != want {
		t.Errorf("line %q, expected %q", got, want)
	}
	if got, want := line(true), "DIR: 1 of 2 cells done; 1 in 1h0m0s"; got != want {
		t.Errorf("line %q, expected %q", got, want)
	}
}
