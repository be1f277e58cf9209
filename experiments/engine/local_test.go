package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tarry/catalogue/shipped"
	"tarry/experiments/sweep"
	"tarry/output/durable"
)

// planOf lays a sweep of four short cells down.
func planOf(t *testing.T, retries int) *sweep.Folder {
	t.Helper()
	s := sweep.Spec{Name: "tiny", Kind: "simulate", Seeds: sweep.FirstSeeds(2), Budget: sweep.Budget{Retries: retries},
		Base: sweep.Settings{"trace": "synth:demo,jobs=5", "cluster": "2x2x8"},
		Axes: []sweep.Axis{{Name: "policy", Values: []string{"fifo", "dally"}}}}
	f, err := sweep.Plan(shipped.All(), filepath.Join(t.TempDir(), "s"), s, "v", false)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// clockFrom is a clock for tests.
func clockFrom() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// jobOf runs everything that is pending and notes the events.
func jobOf(f *sweep.Folder, host string) (*Job, *[]Event) {
	var mu sync.Mutex
	events := &[]Event{}
	return &Job{Dir: f.Dir, Folder: f, Pending: f.Pending(), Parallel: 2, Host: host, Clock: clockFrom(), Stale: 200 *
		time.Millisecond,
		Retries: f.Spec.Budget.Retries, Watch: func(e Event) {
			mu.Lock()
			defer mu.Unlock()
			*events = append(*events, e)
		}}, events
}

// done counts the cells that are.
func done(f *sweep.Folder) int {
	n := 0
	for _, s := range f.Statuses() {
		if s.State == sweep.Done {
			n++
		}
	}
	return n
}

// TestEnginesRunAll: every cell ends once, and is reported once.
func TestEnginesRunAll(t *testing.T) {
	for name, run := range map[string]Engine{"local": Local, "dir": Dir} {
		f := planOf(t, 0)
		j, events := jobOf(f, "a")
		if err := run(context.Background(), j); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		ended := map[int]int{}
		for _, e := range *events {
			if e.State == sweep.Done {
				ended[e.Index]++
			}
		}
		if done(f) != 4 || len(ended) != 4 || ended[0] != 1 {
			t.Errorf("%s: %d done, told %v", name, done(f), ended)
		}
		for i := range 4 {
			if found, _ := filepath.Glob(filepath.Join(f.CellDir(i), leasePrefix+"*")); len(found) > 0 {
				t.Errorf("%s left %v", name, found)
			}
		}
	}
}

// TestDirEndsWithItsLastCell: a worker without a cell waits for the cells of its own host no longer
// than they take, whatever the stale time; before, it looked again after a twelfth of that.
func TestDirEndsWithItsLastCell(t *testing.T) {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	f := planOf(t, 0)
	j, _ := jobOf(f, "a")
	j.Stale, j.Parallel = 10*time.Hour, 5 // for four cells
	if err := Dir(ctx, j); err != nil || ctx.Err() != nil || done(f) != 4 {
		t.Errorf("%v, %d cells done, %v, expected 4 before the limit of this test", err, done(f), ctx.Err())
	}
}

// TestEnginesStopped: an engine that is stopped, or whose time is over, leaves cells and notes it.
func TestEnginesStopped(t *testing.T) {
	for name, run := range map[string]Engine{"local": Local, "dir": Dir} {
		f := planOf(t, 0)
		ctx, stop := context.WithCancel(context.Background())
		stop()
		j, _ := jobOf(f, "a")
		if err := run(ctx, j); !errors.Is(err, ErrRequeue) || done(f) != 0 {
			t.Errorf("%s, stopped by a signal: %v, %d done", name, err, done(f))
		}
		j, _ = jobOf(f, "a")
		j.Until = time.Nanosecond
		if err := run(context.Background(), j); !errors.Is(err, ErrRequeue) || done(f) != 0 {
			t.Errorf("%s, out of time: %v, %d done", name, err, done(f))
		}
		j, _ = jobOf(f, "a")
		j.Memory = 1 << 20
		if err := run(context.Background(), j); err == nil || !strings.Contains(err.Error(), "4 cells not started: "+
			"out of memory; raise --memory") || !strings.Contains(err.Error(), "it needs about 48 MiB and there are 1 MiB") {
			t.Errorf("%s, little memory: %v", name, err)
		}
	}
}

// TestRetries: a cell whose process ends without a word fails, is started again as often as the
// budget reports, and is over then.
func TestRetries(t *testing.T) {
	f := planOf(t, 2)
	j, events := jobOf(f, "a")
	j.Isolate, j.Parallel = true, 1
	script := filepath.Join(t.TempDir(), "worker")
	// STATUS states running, then the process dies.
	text := "#!/bin/sh\necho started >> " + f.Dir + "/starts\nd=" + f.CellDir(0) + "\n" +
		`n=$(grep -c . ` + f.Dir +
		`/starts); echo '{"state":"running","failures":'$((n-1))',"attempts":'$n'}' > $d/STATUS` + "\nkill -9 $$\n"
	if err := os.WriteFile(script, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	j.Worker, j.Pending = []string{script}, []int{0}
	if err := Local(context.Background(), j); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(f.Dir, "starts"))
	if s := f.Status(0); err != nil || strings.Count(string(data), "started") != 3 || s.State != sweep.Failed ||
		s.Failures != 3 || !strings.Contains(s.Error, "signal: killed") {
		t.Errorf("started %q, STATUS %+v (%v)", data, s, err)
	}
	last := (*events)[len(*events)-1]
	if last.State != sweep.Failed || last.Err == nil {
		t.Errorf("the last event is %+v", last)
	}
}

// TestMeter: cells wait for memory in order; what was measured raises the estimates.
func TestMeter(t *testing.T) {
	m := newMeter(100)
	ctx := context.Background()
	first, err := m.take(ctx, func() int64 { return 60 })
	if err != nil {
		t.Fatal(err)
	}
	var order []int
	var mu sync.Mutex
	var group sync.WaitGroup
	group.Go(func() {
		free, err := m.take(ctx, func() int64 { return 50 })
		mu.Lock()
		order = append(order, 2)
		mu.Unlock()
		if err == nil {
			free(0)
		}
	})
	time.Sleep(20 * time.Millisecond)
	mu.Lock()
	order = append(order, 1)
	mu.Unlock()
	first(90) // half as much again as estimated
	group.Wait()
	if !slices.Equal(order, []int{1, 2}) {
		t.Errorf("order %v", order)
	}
	if _, err := m.take(ctx, func() int64 { return 70 }); err == nil {
		t.Error("70 estimated are 105 by what was measured, and there are 100")
	}
	stopped, stop := context.WithCancel(ctx)
	if _, err := m.take(ctx, func() int64 { return 66 }); err != nil {
		t.Error(err)
	}
	stop()
	if _, err := m.take(stopped, func() int64 { return 66 }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestLease: one holder; a lease that beats stays, one that does not is taken by one of many, and
// the loser gets an error.
func TestLease(t *testing.T) {
	dir := t.TempDir()
	a, _, err := acquire(dir, "a", sighting{}, false)
	if a == nil || err != nil || a.held() != nil {
		t.Fatal(a, err)
	}
	_, seen, err := acquire(dir, "b", sighting{}, false)
	if err != nil || seen.gen != 1 {
		t.Fatal(seen, err)
	}
	if err := a.beat(); err != nil {
		t.Fatal(err)
	}
	if l, now, _ := acquire(dir, "b", seen, true); l != nil || now.text == seen.text {
		t.Error("a lease that beats was taken over")
	}
	_, seen, _ = acquire(dir, "b", sighting{}, false)
	var mu sync.Mutex
	var winners []*lease
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			if l, _, err := acquire(dir, string(rune('b'+i)), seen, true); l != nil && err == nil {
				mu.Lock()
				winners = append(winners, l)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	if len(winners) != 1 {
		t.Fatalf("%d hosts took the lease over", len(winners))
	}
	w := winners[0]
	if !errors.Is(a.held(), errLost) || !errors.Is(a.beat(), errLost) || a.release(true) != nil || w.held() != nil {
		t.Error("the slow host must know that it lost, and must not touch the lease")
	}
	if Held(dir, w.name()) != nil || Held(dir, a.name()) == nil || Held(dir, "x") == nil {
		t.Error("Held says who holds")
	}
	if err := w.release(false); err != nil {
		t.Fatal(err)
	}
	c, _, err := acquire(dir, "c", sighting{}, false)
	if c == nil || err != nil || c.gen != 3 {
		t.Fatalf("a lease that was given back: %+v, %v", c, err)
	}
	if err := c.release(true); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// TestDirTakesOver: a host that died leaves a lease; another one waits for the stale time and runs
// the cell. A host that only slept finds that it lost the cell and reports nothing about it.
func TestDirTakesOver(t *testing.T) {
	f := planOf(t, 0)
	dead, _, err := acquire(f.CellDir(2), "dead-1-2", sighting{}, false)
	if dead == nil || err != nil {
		t.Fatal(err)
	}
	j, _ := jobOf(f, "b")
	begin := time.Now()
	if err := Dir(context.Background(), j); err != nil || done(f) != 4 {
		t.Fatalf("%v, %d done", err, done(f))
	}
	if waited := time.Since(begin); waited < j.Stale {
		t.Errorf("taken over after %v, expected at least %v", waited, j.Stale)
	}
	before := f.Status(2)
	err = f.Work(context.Background(), 2, sweep.WorkOptions{Host: "dead", Commit: dead.held})
	if err != nil || f.Status(2) != before {
		t.Errorf("the cell is done: %v, %+v", err, f.Status(2))
	}
	if err := f.Retry([]int{2}); err != nil {
		t.Fatal(err)
	}
	err = f.Work(context.Background(), 2, sweep.WorkOptions{Host: "dead", Commit: dead.held})
	if !errors.Is(err, sweep.ErrRequeue) || f.Status(2).State == sweep.Done {
		t.Errorf("a host without the lease marked the cell: %v, %+v", err, f.Status(2))
	}
}

// TestDirTogether: two hosts at once end every cell, each cell once.
func TestDirTogether(t *testing.T) {
	f := planOf(t, 0)
	var group sync.WaitGroup
	for _, host := range []string{"a", "b"} {
		j, _ := jobOf(f, host)
		j.Stale = 5 * time.Second
		group.Go(func() {
			if err := Dir(context.Background(), j); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for i := range 4 {
		if s := f.Status(i); s.State != sweep.Done || s.Attempts != 1 {
			t.Errorf("cell %d: %+v", i, s)
		}
	}
}

// Cells are done before they are durable: a mark in the folder states so until the run has synced
// them. A kill takes the cells that are computed now, one for each at once.
func TestCellsAreDurableTogether(t *testing.T) {
	f := planOf(t, 0)
	mark := filepath.Join(f.Dir, ".unsynced")
	j, _ := jobOf(f, "a")
	j.Parallel = 1
	running, seen := 0, 0
	j.Watch = func(e Event) {
		if e.State != sweep.Running {
			return
		}
		if n := done(f); n != running {
			t.Errorf("%d cells are done when %d were started before this one", n, running)
		}
		running++
		if _, err := os.Stat(mark); err == nil {
			seen++
		}
	}
	if err := Local(context.Background(), j); err != nil || done(f) != 4 {
		t.Errorf("%v, %d of 4 cells are done", err, done(f))
	}
	if durable.New(f.Dir) != nil && seen != 4 {
		t.Errorf("%d of 4 cells ran with the mark", seen)
	}
	if _, err := os.Stat(mark); !errors.Is(err, os.ErrNotExist) {
		t.Error("the mark stays though all is durable:", err)
	}
}
