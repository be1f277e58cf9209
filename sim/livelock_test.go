package sim

import (
	"context"
	"strings"
	"testing"
)

// pulse fails machine 0 every Every and repairs it Down later, for ever.
type pulse struct {
	every, down Time
	n           Time
}

func (p *pulse) Next() (Outage, bool) {
	at, up := (p.n/2+1)*p.every, p.n%2 == 1
	if up {
		at += p.down
	}
	p.n++
	return Outage{At: at, Machine: 0, GPU: -1, Up: up}, true
}

func (p *pulse) Clone() Outages { c := *p; return &c }

// A job that is thrown back to its start before it can end stops the run, which states what to do;
// with checkpoints it ends.
func TestRestartsInVain(t *testing.T) {
	top := topology(t, 1, 2, 1, 1)
	run := func(every float64, until Time, js ...Job) (*Engine, error) {
		return Run(context.Background(), Config{Workload: jobs(t, js...), Topology: top, Speed: counting{},
			Costs: Costs{CheckpointEveryS: every}, Outages: &pulse{every: 10 * Second, down: Second}, Until: until},
			greedy(nil))
	}
	long, short := Job{ID: "long", GPUs: 2, Work: 60 * Second}, Job{ID: "short", GPUs: 1, Work: Second}
	_, err := run(0, 0, long, short)
	for _, want := range []string{`job "long" has been restarted 16385 times and needs about 30s on 2 GPUs`,
		"expected checkpoints (cost checkpoint_every_s)", "over 16384 restarts"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %q", err, want)
		}
	}
	if _, again := run(0, 0, long, short); again == nil || err == nil || again.Error() != err.Error() {
		t.Errorf("another run says %v", again)
	}
	if _, err = run(20, 0, long); err == nil || !strings.Contains(err.Error(), "more often than every 20s") {
		t.Errorf("with checkpoints that come too late: %v", err)
	}
	if e, err := run(3, 0, long, short); err != nil || e.Record(0).State != Done || e.Record(1).State != Done {
		t.Errorf("with checkpoints: %v", err)
	}
	if _, err := run(0, 200000*Second, long); err != nil {
		t.Errorf("until a time that was asked for: %v", err)
	}
	late := Job{ID: "late", GPUs: 1, Work: Second, Submit: 400000 * Second}
	if e, err := run(0, 0, long, late); err == nil || e.Record(1).State != Done {
		t.Errorf("before all jobs came: %v", err)
	}
}

// A job for which there are never enough GPUs up stops the run, too.
func TestFailuresWhileNobodyRuns(t *testing.T) {
	cfg := Config{Workload: jobs(t, Job{ID: "wide", GPUs: 2, Work: Second, Submit: 15 * Second}),
		Topology: topology(t, 1, 2, 1, 1), Speed: counting{}, Outages: &pulse{every: 10 * Second, down: 10 * Second}}
	_, err := Run(context.Background(), cfg, greedy(nil))
	if want := `over 16384 failures, and 1 jobs wait, among them job "wide", for GPUs that are hardly ever up together`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v lacks %q", err, want)
	}
}

// A policy that acts by the clock stops after fewer restarts, since each takes it many decisions.
func TestRestartsInVainByTheClock(t *testing.T) {
	place := greedy(nil)
	ticking := script{f: func(v *View, out []Decision) []Decision {
		return append(place.Decide(v, out), Decision{Kind: WakeAt, At: v.Now() + 5000*Microsecond})
	}}
	_, err := Run(context.Background(), Config{Workload: jobs(t, Job{ID: "long", GPUs: 2, Work: 60 * Second}),
		Topology: topology(t, 1, 2, 1, 1), Speed: counting{}, Outages: &pulse{every: 10 * Second, down: Second}}, ticking)
	if want := `over 1024 restarts after faults: job "long" has been restarted 1024 times`; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("error %v lacks %q", err, want)
	}
}
