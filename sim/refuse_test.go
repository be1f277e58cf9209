package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// Each rule of a decision, at its edge: the last value that is accepted and the first that is not,
// with the words of the refusal. TestWrongDecisionsAreNamed has the others. Job 0 runs on GPU 0
// (share 600), job 1 waits for 1 or 2 GPUs of type "a", job 2 for two whole GPUs with 300 MiB each,
// job 3 for workers of two GPUs. Machine 0 has GPUs 0 and 1 of type "a", 900 of CPU and 500 MiB,
// machine 1 GPUs 2 and 3 of "b" and no limit.
func TestEdgesOfTheRules(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Slots: 1, Type: "a",
		CPUMilli: 900, MemMiB: 500}, {Count: 1, GPUs: 2, Slots: 1, Type: "b"}}}})
	if err != nil {
		t.Fatal(err)
	}
	w := jobs(t, Job{GPUs: 1, ShareMilli: 600, Work: 10 * Second},
		Job{GPUs: 1, MaxGPUs: 2, GPUType: "a", Work: Second}, Job{GPUs: 2, MemMiB: 300, Work: Second},
		Job{GPUs: 2, MaxGPUs: 5, WorkerGPUs: 2, Work: Second})
	first := begin(0, 0)
	for _, c := range []struct {
		name  string
		ds    []Decision
		wrong string // "" = accepted
	}{
		{"the type asked for", []Decision{begin(1, 1)}, ""},
		{"another type", []Decision{begin(1, 2)}, `GPU 2 is of type "b", expected "a"`},
		{"any type", []Decision{begin(2, 2, 3)}, ""},
		{"no GPUs", []Decision{begin(1)}, "0 GPUs, expected 1..2"},
		{"the most", []Decision{begin(1, 0, 1)}, ""},
		{"more than the most", []Decision{begin(1, 0, 1, 2)}, "3 GPUs, expected 1..2"},
		{"a worker", []Decision{begin(3, 0, 1)}, ""},
		{"two workers", []Decision{begin(3, 0, 1, 2, 3)}, ""},
		{"a worker and a half", []Decision{begin(3, 0, 1, 2)}, "3 GPUs, expected a multiple of 2, which is the size " +
			"of a worker"},
		{"half a worker", []Decision{begin(3, 0)}, "1 GPUs, expected 2..4"},
		{"a worker more", []Decision{begin(3, 0, 1), {Kind: Resize, Job: 3, GPUs: on(0, 1, 2, 3)}}, ""},
		{"half a worker more", []Decision{begin(3, 0, 1), {Kind: Resize, Job: 3, GPUs: on(0, 1, 2)}},
			"3 GPUs, expected a multiple of 2"},
		{"descending", []Decision{begin(1, 1, 0)}, "GPU 0 after 1, expected ascending"},
		{"a negative GPU", []Decision{begin(1, -1)}, "GPU -1 does not exist, expected 0..3"},
		{"all that is left of a GPU", []Decision{first, {Kind: Start, Job: 1, GPUs: on(0),
			Knobs: Knobs{ShareMilli: 400}}}, ""},
		{"a thousandth more", []Decision{first, {Kind: Start, Job: 1, GPUs: on(0), Knobs: Knobs{ShareMilli: 401}}},
			`GPU 0 has 600 thousandths in use by job "0", 401 more were asked`},
		{"a share of more than all", []Decision{{Kind: Start, Job: 1, GPUs: on(0), Knobs: Knobs{ShareMilli: 1001}}},
			"share 1001, frequency 0, batch 0"},
		{"a clock that is no number", []Decision{{Kind: Start, Job: 1, GPUs: on(0),
			Knobs: Knobs{FreqFrac: math.NaN()}}}, "frequency NaN"},
		{"a negative batch", []Decision{{Kind: Start, Job: 1, GPUs: on(0), Knobs: Knobs{Batch: -1}}}, "batch -1"},
		{"memory on two machines", []Decision{begin(2, 1, 2)}, ""},
		{"memory on one", []Decision{begin(2, 0, 1)}, "machine 0 has 0 of 500 MiB in use, 600 more were asked"},
		{"less memory by decision", []Decision{{Kind: Start, Job: 2, GPUs: on(0, 1), Knobs: Knobs{MemMiB: 250}}}, ""},
		{"CPU on one machine", []Decision{{Kind: Start, Job: 2, GPUs: on(0, 1),
			Knobs: Knobs{MemMiB: 1, CPUMilli: 451}}}, "machine 0 has 0 of 900 thousandths of CPU in use, 902 more " +
			"were asked"},
		{"all CPU of one machine", []Decision{{Kind: Start, Job: 2, GPUs: on(0, 1),
			Knobs: Knobs{MemMiB: 1, CPUMilli: 450}}}, ""},
		{"a delay", []Decision{{Kind: Start, Job: 1, GPUs: on(1), Knobs: Knobs{Delay: -1}}},
			"delay -1e-06s, expected >= 0"},
		{"a share that fits in place", []Decision{first, {Kind: Tune, Knobs: Knobs{ShareMilli: 1000}}}, ""},
		{"a share that does not", []Decision{first, {Kind: Start, Job: 1, GPUs: on(0), Knobs: Knobs{ShareMilli: 400}},
			{Kind: Tune, Knobs: Knobs{ShareMilli: 601}}}, "GPU 0 has 1000 thousandths in use, a share of 601 " +
			"does not fit"},
		{"memory in place", []Decision{first, {Kind: Tune, Knobs: Knobs{MemMiB: 501}}},
			"machine 0 has 0 of 500 MiB in use, 501 more were asked"},
		{"a move to as many", []Decision{begin(1, 0), {Kind: Migrate, Job: 1, GPUs: on(1)}}, ""},
		{"a move to more", []Decision{begin(1, 0), {Kind: Migrate, Job: 1, GPUs: on(0, 1)}},
			"2 GPUs, expected 1 as before"},
		{"a resize", []Decision{begin(1, 0), {Kind: Resize, Job: 1, GPUs: on(0, 1)}}, ""},
		{"a resize beyond the range", []Decision{begin(1, 0), {Kind: Resize, Job: 1, GPUs: on(0, 1, 2)}},
			"3 GPUs, expected 1..2"},
		{"a resize to the same", []Decision{begin(1, 0), {Kind: Resize, Job: 1, GPUs: on(0)}},
			"the job already holds these GPUs"},
		{"a move onto its own GPUs and others", []Decision{begin(2, 1, 2), {Kind: Migrate, Job: 2, GPUs: on(2, 3)}},
			""},
		{"the smallest bound", []Decision{first, {Kind: Watch, Bound: 1}}, ""},
		{"the largest key", []Decision{{Kind: WakeAt, Key: 1024, At: 1}}, ""},
		{"a larger key", []Decision{{Kind: WakeAt, Key: 1025, At: 1}},
			"wake-at of timer 1025: key 1025, expected 0..1024"},
		{"a negative key", []Decision{{Kind: WakeAt, Key: -1, At: 1}}, "key -1, expected 0..1024"},
		{"a job below all", []Decision{{Kind: Start, Job: -2}}, "job number -2: no such job"},
		{"a kind that does not exist", []Decision{first, {Kind: 99}}, `kind 99 of job "0": unknown kind 99`},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := New(Config{Workload: w, Topology: top, Speed: counting{}, Check: true})
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := e.Next(); err != nil {
				t.Fatal(err)
			}
			err = e.Apply(c.ds)
			switch {
			case c.wrong == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong) ||
				!strings.HasPrefix(err.Error(), fmt.Sprintf("at 0s: decision %d, ", len(c.ds)-1))):
				t.Errorf("error %v\nexpected decision %d: %s", err, len(c.ds)-1, c.wrong)
			}
			if err == nil {
				return
			}
			if again := e.Apply(nil); again == nil || again.Error() != err.Error() { // the run cannot continue
				t.Errorf("Apply after the error gives %v", again)
			}
			if _, ok, again := e.Next(); ok || again == nil || again.Error() != err.Error() {
				t.Errorf("Next after the error gives %v, %v", ok, again)
			}
		})
	}
}

// Elastic jobs whose least count is more than the cluster has of their type are refused at their
// arrival, others wait.
func TestRefusedAtArrival(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 3, Slots: 1, Type: "a"},
		{Count: 1, GPUs: 2, Slots: 1, Type: "b"}}}})
	if err != nil {
		t.Fatal(err)
	}
	w := jobs(t, Job{ID: "all", GPUs: 5, Work: 1}, Job{ID: "more", GPUs: 6, Work: 1},
		Job{ID: "of a", GPUs: 3, GPUType: "a", Work: 1}, Job{ID: "beyond a", GPUs: 4, GPUType: "a", Work: 1},
		Job{ID: "least of b", GPUs: 9, MinGPUs: 2, GPUType: "b", Work: 1},
		Job{ID: "too many of b", GPUs: 9, MinGPUs: 3, GPUType: "b", Work: 1},
		Job{ID: "no such type", GPUs: 1, GPUType: "c", Work: 1})
	want := map[string]JobState{"all": Waiting, "more": Refused, "of a": Waiting, "beyond a": Refused,
		"least of b": Waiting, "too many of b": Refused, "no such type": Refused}
	e, err := New(Config{Workload: w, Topology: top, Speed: counting{}, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := e.Next()
	if err != nil {
		t.Fatal(err)
	}
	for id, j := range w.Jobs {
		if got := v.Run(JobID(id)).State(); got != want[j.ID] {
			t.Errorf("job %q is %v, expected %v", j.ID, got, want[j.ID])
		}
	}
	if v.Waiting() != 3 || len(v.Events()) != 3 { // a refused job is no event
		t.Errorf("%d wait, events %v", v.Waiting(), v.Events())
	}
}

// A configuration's faults are reported together; a cancelled run notes it.
func TestConfigAndCancel(t *testing.T) {
	_, err := New(Config{Until: -1, Costs: Costs{Start: Cost{FixedS: -1}}})
	for _, want := range []string{"no workload", "no topology", "no speed model", "until is -1e-06s, expected >= 0",
		"cost start_s is -1"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %q", err, want)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	cfg := Config{Workload: jobs(t, Job{GPUs: 1, Work: Second}), Topology: topology(t, 1, 1, 1, 1), Speed: counting{}}
	if e, err := Run(ctx, cfg, greedy(nil)); !errors.Is(err, context.Canceled) || e == nil {
		t.Errorf("a cancelled run gives %v", err)
	}
}

// asking is a policy that is cancelled inside a decision, and then gives one that is not valid.
type asking struct {
	stop      context.CancelFunc
	cancelled bool
}

func (*asking) Knows() know.Set { return know.Nothing }

func (a *asking) Decide(v *View, out []Decision) []Decision {
	if v.Cancelled() {
		return nil
	}
	a.stop()
	a.cancelled = v.Cancelled()
	return append(out, Decision{Kind: Start, Job: 77})
}

// A policy learns inside a decision that the run is cancelled; what it decides is then discarded.
func TestCancelledInsideADecision(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	cfg := Config{Workload: jobs(t, Job{GPUs: 1, Work: Second}), Topology: topology(t, 1, 1, 1, 1), Speed: counting{}}
	a := &asking{stop: stop}
	if _, err := Run(ctx, cfg, a); !errors.Is(err, context.Canceled) || !a.cancelled {
		t.Errorf("Cancelled gave %v and the run ended with %v, expected true and %v", a.cancelled, err, context.Canceled)
	}
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if v, ok, err := e.Next(); err != nil || !ok || v.Cancelled() {
		t.Errorf("a run outside of Drive is cancelled, or %v", err)
	}
}

// A bound that the counter has passed is refused, by the counter that it is for: after 4 s on two
// GPUs service is 8 s.
func TestBoundsBelowTheCounter(t *testing.T) {
	for _, c := range []struct {
		counter Counter
		bound   Time
		ok      bool
	}{{RunTime, 4 * Second, false}, {RunTime, 4*Second + 1, true}, {Service, 6 * Second, false},
		{Service, 8 * Second, false}, {Service, 8*Second + 1, true}} {
		p := play{plan: map[Time][]Decision{0: {begin(0, 0, 1)}, 4 *
			Second: {{Kind: Watch, Counter: c.counter, Bound: c.bound}}}}
		_, err := p.run(t, 2, Job{GPUs: 2, Work: 40 * Second})
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "is not above the counter's") {
			t.Errorf("counter %d, bound %v: error %v, expected accepted %v", c.counter, c.bound, err, c.ok)
		}
	}
}
