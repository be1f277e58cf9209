package sim

import (
	"fmt"
	"reflect"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// busyCase has everything that a snapshot must hold: timers, leases, watches, shares, checkpoints
// under way, faults that nest with a cordon, CPU and memory, jobs that are done, waiting, running
// and yet to come.
func busyCase(t *testing.T) (Config, play) {
	t.Helper()
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 2, Slots: 1, CPUMilli: 1000,
		MemMiB: 100}}}})
	if err != nil {
		t.Fatal(err)
	}
	one := func(submit, work Time) Job {
		return Job{GPUs: 1, ShareMilli: 500, Work: work * Second / 2, Submit: submit * Second, CPUMilli: 200,
			MemMiB: 10}
	}
	cfg := Config{Workload: jobs(t, one(0, 30), one(0, 12), one(0, 3), one(1, 20), one(25, 6)), Topology: top,
		Speed: crowded{}, Check: true,
		Costs: Costs{Checkpoint: Cost{FixedS: 4}, Restore: Cost{FixedS: 1}, CheckpointEveryS: 3},
		Outages: Schedule{{At: 6 * Second, Machine: 1, GPU: 0}, {At: 7 * Second, Machine: 1, GPU: -1},
			{At: 9 * Second, Machine: 1, GPU: 0, Up: true},
			{At: 14 * Second, Machine: 1, GPU: -1, Up: true}}.Source()}
	return cfg, play{plan: map[Time][]Decision{
		0: {{Kind: Start, Job: 0, GPUs: on(0), Lease: 11 * Second}, begin(1, 0), begin(2, 1),
			{Kind: Watch, Job: 0, Counter: Service, Bound: 13 * Second},
			{Kind: WakeAt, Key: 1, At: 16 * Second}, {Kind: WakeAt, Key: 2, At: 19 * Second}},
		Second: {begin(3, 2)}, 2 * Second: {{Kind: Preempt, Job: 1}}, 5 * Second: {{Kind: Cordon, Machine: 1}}, 8 *
			Second: {begin(1, 1)},
		10 * Second: {{Kind: Tune, Job: 1, Knobs: Knobs{ShareMilli: 600, CPUMilli: 300, MemMiB: 20}}}, 15 *
			Second: {{Kind: Uncordon, Machine: 1}},
		17 * Second: {begin(3, 2)}, 18 * Second: {{Kind: Preempt, Job: 3}}, 23 * Second: {begin(3, 3)}, 26 *
			Second: {begin(4, 3)}}}
}

// story drives an engine to its end and writes down, at each instant, all that can be seen of it.
func story(t *testing.T, e *Engine, p play) []string {
	t.Helper()
	var out []string
	for {
		v, ok, err := e.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			jobs, waiting, busy := e.Areas()
			return append(out, fmt.Sprintf("end %v, %d events, areas %v %v %v", e.Now(), e.Events(), jobs, waiting,
				busy))
		}
		out = append(out, sight(v))
		if err := e.Apply(p.Decide(v, nil)); err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("after: %+v", e.Gauge()))
	}
}

// sight is what a view shows.
func sight(v *View) string {
	s := fmt.Sprintf("%v %v running %v waiting %d draining %d usable %d", v.Now(), v.Events(), v.Running(),
		v.Waiting(), v.Draining(), v.Usable())
	for j := range JobID(v.NumJobs()) {
		s += fmt.Sprintf(" | %v on %v run %v service %v since %v lease %v left %v rate %v", v.Run(j).State(), v.Run(j).Held(),
			v.Run(j).Time(), v.Run(j).Service(), v.Run(j).Since(), v.Run(j).LeaseEnd(), v.Run(j).Left(), v.Run(j).Speed())
	}
	for m := range v.Topology().Machines() {
		cpu, mem := v.HostUsed(m)
		s += fmt.Sprintf(" | host %d %d", cpu, mem)
	}
	for g := range cluster.GPU(v.Topology().GPUs()) {
		s += fmt.Sprintf(" | gpu %d %d %v", v.Owner(g), v.Share(g), v.Free().Has(g))
	}
	return s
}

// From a snapshot at any instant, in the engine it was taken from, again and again, and in another
// one, all goes as it did.
func TestSnapshotHoldsEverything(t *testing.T) {
	cfg, p := busyCase(t)
	fresh := func() *Engine {
		e, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		e.Permit(know.Work)
		return e
	}
	whole := story(t, fresh(), p)
	if len(whole) < 40 {
		t.Fatalf("only %d lines: the case has become too small\n%v", len(whole), whole)
	}
	for at := 0; at < len(whole)/2; at++ {
		e := fresh()
		for range at {
			v, _, err := e.Next()
			if err == nil {
				err = e.Apply(p.Decide(v, nil))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		snap := e.Snapshot()
		for i, target := range []*Engine{e, e, fresh()} {
			if i > 0 {
				if err := target.Restore(snap); err != nil {
					t.Fatal(err)
				}
			}
			if got := story(t, target, p); !reflect.DeepEqual(got, whole[2*at:]) {
				t.Fatalf("after %d instants, try %d: %s", at, i, apart(got, whole[2*at:]))
			}
		}
	}
}

// apart is the first line in which two stories differ.
func apart(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return "got\n" + got[i] + "\nwant\n" + want[i]
		}
	}
	return fmt.Sprintf("%d lines, expected %d", len(got), len(want))
}

// A snapshot may be taken while a decision is due: the view that was given serves on after Restore,
// with its events.
func TestSnapshotBetweenNextAndApply(t *testing.T) {
	cfg, p := busyCase(t)
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for e.Now() < 6*Second {
		v, _, err := e.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e.Now() == 6*Second {
			snap, before := e.Snapshot(), sight(v)
			if err := e.Apply([]Decision{{Kind: Preempt, Job: 0}}); err != nil { // another way to go
				t.Fatal(err)
			}
			if _, _, err := e.Next(); err != nil {
				t.Fatal(err)
			}
			if err := e.Restore(snap); err != nil {
				t.Fatal(err)
			}
			if after := sight(v); after != before || len(v.Events()) == 0 {
				t.Errorf("after Restore the view shows\n%s\nexpected\n%s", after, before)
			}
		}
		if err := e.Apply(p.Decide(v, nil)); err != nil {
			t.Fatal(err)
		}
	}
}

// No slice, pointer or map of a snapshot is the engine's, so that neither changes the other; a field
// that copyFrom forgets is found here.
func TestSnapshotSharesNothing(t *testing.T) {
	cfg, p := busyCase(t)
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for range 12 {
		v, ok, err := e.Next()
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		if err := e.Apply(p.Decide(v, nil)); err != nil {
			t.Fatal(err)
		}
		mine, theirs := reflect.ValueOf(e.state), reflect.ValueOf(e.Snapshot().state)
		for i := range mine.NumField() {
			a, b := mine.Field(i), theirs.Field(i)
			switch name := mine.Type().Field(i).Name; a.Kind() {
			case reflect.Slice, reflect.Pointer, reflect.Map:
				if a.Kind() == reflect.Slice && a.Cap() == 0 || a.IsNil() {
					continue
				}
				found++
				if a.Pointer() == b.Pointer() {
					t.Fatalf("%v: %s is shared", e.Now(), name)
				}
			}
		}
	}
	if found < 12*12 {
		t.Errorf("%d slices and pointers looked at, expected most of the state's", found)
	}
}
