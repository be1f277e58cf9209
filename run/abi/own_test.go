package abi

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tarry/catalogue/shipped"
	"tarry/run/pypolicy"
)

// inOrder is a caller's scheduler that starts jobs in the order of arrival. It serves one goroutine.
type inOrder struct {
	mu      sync.Mutex
	decided int
	ended   int
	stops   int // the decision at which it stops; 0 = none
	busy    bool
}

const (
	readColumn, fillOrder = 1, 9
	listAt                = 32
)

// Decide implements pypolicy.Asker.
func (f *inOrder) Decide(s *pypolicy.Session) error {
	if !f.mu.TryLock() {
		f.busy = true
		return ErrStopped
	}
	defer f.mu.Unlock()
	if f.decided++; f.decided == f.stops {
		return ErrStopped
	}
	w := make([]int64, s.Room())
	w[2] = int64(slices.IndexFunc(pypolicy.Describe(), func(c pypolicy.Described) bool { return c.Name == "job" }))
	s.Do(readColumn, w)
	w[2], w[3] = 0, 1
	if s.Do(fillOrder, w); w[0] != 0 {
		return fmt.Errorf("fill refuses %d jobs", w[1])
	}
	return nil
}

func (f *inOrder) Clone(_, _ *pypolicy.Session) error { return nil }

func (f *inOrder) End(*pypolicy.Session) { f.ended++ }

// ownRun starts a run with schedulers of a caller's.
func ownRun(t *testing.T, f *inOrder, own, policies string, workers int) *Work {
	t.Helper()
	r, err := ParseRun([]byte(fmt.Sprintf(`{"command": "compare", "tables": ["trials", "intervals"], "own": [%s], `+
		`"settings": {"jobs": "%d", "trace": "synth:demo,jobs=30", "cluster": "2x2x4", "replicates": "3", "policies": %s}}`,
		own, workers, policies)))
	if err != nil {
		t.Fatal(err)
	}
	var by *Caller
	if f != nil {
		by = &Caller{Decider: f, Version: "v1", Clock: func() time.Duration { return 0 },
			Wait: func(done <-chan struct{}) bool { <-done; return true }}
	}
	return Start(shipped.All(), r, nil, by)
}

// A caller's schedulers decide as their twin, beside others by any number of workers, also under a name
// that the command has for classes in Python.
func TestStartWithACaller(t *testing.T) {
	for _, name := range []string{"Mine", "Mine:penalty=2", "python:mine:Mine,penalty=2"} {
		var all []any
		for _, workers := range []int{1, 2} {
			f := &inOrder{}
			w := ownRun(t, f, `{"name": "`+name+`", "knows": ["work"], "source": "abc"}`, `["`+name+`", "fifo"]`, workers)
			if s := over(t, w); s != OK || f.busy || f.ended != 3 || f.decided == 0 {
				t.Fatalf("%s, %d workers: status %d, %s, caller %+v", name, workers, s, w.Fault(), f)
			}
			rows := w.Report().Summary
			if rows[0]["policy"] != name || rows[0]["jct_mean_s"] != rows[1]["jct_mean_s"] ||
				rows[0]["makespan_s"] != rows[1]["makespan_s"] || rows[0]["knows"] != "work" || rows[1]["knows"] != "nothing" {
				t.Errorf("%s has %v\nfifo has %v", name, rows[0], rows[1])
			}
			all = append(all, w.Report())
		}
		if !reflect.DeepEqual(all[0], all[1]) {
			t.Errorf("%s: two workers give %v, one gives %v", name, all[1], all[0])
		}
	}
}

// What is wrong with them is refused before anything runs; a caller that stops ends the run.
func TestStartRefusesACaller(t *testing.T) {
	mine := `{"name": "Mine", "knows": [], "source": ""}`
	for _, c := range []struct {
		own, policies, want string
		f                   *inOrder
		status              Status
	}{
		{mine, `["Mine"]`, "schedulers of the caller's, and nothing that decides for them", nil, Refused},
		{`{"name": "fifo", "knows": []}`, `["fifo"]`, "policy fifo: a scheduler that tarry ships has that name", &inOrder{},
			Refused},
		{`{"name": "Mine", "knows": ["all"]}`, `["Mine"]`, `policy Mine: permission "all", expected some of `, &inOrder{},
			Refused},
		{mine, `["Mine:x=1"]`, "expected a scheduler that was handed over", &inOrder{}, Refused},
		{mine, `["Mine", "fifo"]`, "stopped by the caller", &inOrder{stops: 5}, Stopped},
	} {
		w := ownRun(t, c.f, c.own, c.policies, 2)
		if s := over(t, w); s != c.status || !strings.Contains(w.Fault(), c.want) {
			t.Errorf("%s with %s: status %d, %q\nexpected %d, %s", c.policies, c.own, s, w.Fault(), c.status, c.want)
		}
	}
}
