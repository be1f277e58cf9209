package trial

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"tarry/output/results"
	"tarry/sim"
)

// told is a policy with a measure of its own.
type told struct{ fifo }

func (*told) Measures(yield func(name, of, unit string, value float64)) {
	yield("mine", "here", "ratio", 2)
}

// The table measures is there where jobs have deadlines, tenants are asked for, or the policy has
// a measure of its own, and else not; an earlier run's is read again, and a trial without its
// measures is run again.
func TestMeasuresAreWritten(t *testing.T) {
	plain := []sim.Job{{ID: "a", GPUs: 1, Work: 9 * sim.Second, User: "u"},
		{ID: "b", GPUs: 1, Work: 9 * sim.Second, User: "v"}}
	due := append([]sim.Job(nil), plain...)
	due[1].Deadline = 20 * sim.Second
	for name, c := range map[string]struct {
		jobs    []sim.Job
		tenants string
		policy  func() (sim.Policy, error)
		rows    int // in memory
		single  int // of single jobs
	}{
		"nothing to say": {plain, "", nil, 0, 0}, "a deadline": {due, "", nil, 15, 1},
		"tenants":    {plain, "user", nil, 9 + 2*11, 0},
		"the policy": {plain, "", func() (sim.Policy, error) { return &told{}, nil }, 1, 0},
		"all":        {due, "user", func() (sim.Policy, error) { return &told{}, nil }, 15 + 9 + 2*12 + 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			tr := newTrial(workload(t, append([]sim.Job(nil), c.jobs...)...), topology(t, 1, 1, 4), 0)
			if tr.Tenants = c.tenants; c.policy != nil {
				tr.Policy = c.policy
			}
			dir := t.TempDir()
			run := func(keep ...string) *Result {
				out, err := Run(context.Background(), []Trial{tr}, Options{Out: dir, Keep: keep})
				if err != nil {
					t.Fatal(err)
				}
				return out[0]
			}
			first := run()
			there := c.rows > 0
			if _, err := os.Stat(dir + "/measures"); (err == nil) != there || len(first.Measures) != c.rows ||
				len(Files(dir, []*Result{first})) != 4+min(1, c.rows) {
				t.Fatalf("%d rows in memory, expected %d; the table: %v", len(first.Measures), c.rows, err)
			}
			if again := run("measures"); !again.Reused || len(again.Measures) != c.rows+c.single {
				t.Errorf("run again: reused %v, %d rows", again.Reused, len(again.Measures))
			}
			if again := run(); !again.Reused || fmt.Sprint(again.Measures) != fmt.Sprint(first.Measures) {
				t.Errorf("read again: reused %v, %v\nexpected %v", again.Reused, again.Measures, first.Measures)
			}
			if !there {
				return
			}
			rows, err := results.ReadDir[results.Measure](context.Background(), dir+"/measures")
			if err != nil || len(rows) != c.rows+c.single || rows[0].Keys != tr.Keys {
				t.Fatalf("%d rows, error %v", len(rows), err)
			}
			if err := os.RemoveAll(dir + "/measures"); err != nil {
				t.Fatal(err)
			}
			if name != "the policy" && run().Reused { // the measures of a policy are not known without it
				t.Error("the trial without its measures counts as complete")
			}
			tr.Config, tr.Tenants = "{}", "" // another configuration, without measures: what is there must go
			tr.Workload = workload(t, append([]sim.Job(nil), plain...)...)
			tr.Policy = func() (sim.Policy, error) { return &fifo{}, nil }
			if r := run(); r.Reused || len(r.Measures) > 0 {
				t.Errorf("another configuration: %+v", r.Measures)
			}
			if rows, err := results.ReadDir[results.Measure](context.Background(), dir+"/measures"); err == nil {
				t.Errorf("measures of an earlier configuration are left: %v", rows)
			}
		})
	}
}

// Streamed jobs give the measures of held ones.
func TestMeasuresOfStreams(t *testing.T) {
	js := []sim.Job{{ID: "a", GPUs: 3, Work: 9 * sim.Second, User: "u", Deadline: sim.Second},
		{ID: "b", GPUs: 2, Submit: sim.Second, Work: 9 * sim.Second, User: "v", Deadline: 99 * sim.Second}}
	tr := newTrial(workload(t, js...), topology(t, 1, 1, 4), 0)
	tr.Tenants = "user"
	streamed := tr
	streamed.Workload, streamed.Stream = nil, tr.Workload.Stream
	out, err := Run(context.Background(), []Trial{tr, streamed}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := fmt.Sprint(out[0].Measures), fmt.Sprint(out[1].Measures); a != b || len(out[0].Measures) == 0 {
		t.Errorf("held %s\nstreamed %s", a, b)
	}
	// Tables, and the rows that they would have, are of held jobs: nothing that reads Workload is
	// reached.
	for _, opt := range []Options{{Out: t.TempDir()}, {Keep: []string{"measures"}}, {Keep: []string{"jobs"}}} {
		if out, err := Run(context.Background(), []Trial{streamed}, opt); err == nil ||
			!strings.Contains(err.Error(), "tables of streamed jobs, expected held ones") || out[0] != nil {
			t.Errorf("%+v: result %v, error %v", opt, out[0], err)
		}
	}
}
