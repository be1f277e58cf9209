package slurm

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tarry/experiments/engine"
	"tarry/experiments/sweep"
)

func TestPacked(t *testing.T) {
	cells := []int{0, 1, 2, 5, 6, 9}
	seconds := func(cell int) float64 { return float64(cell) }
	for _, c := range []struct {
		n        int
		together time.Duration
		want     string
	}{
		{2, 0, "0-1;2,5;6,9"}, {4, 0, "0-2,5;6,9"}, {9, 0, "0-2,5-6,9"}, {1, 0, "0;1;2;5;6;9"},
		{0, 8 * time.Second, "0-2,5;6;9"}, {0, time.Second, "0-1;2;5;6;9"}, {0, time.Hour, "0-2,5-6,9"},
	} {
		var got []string
		for _, p := range packed(cells, c.n, c.together, seconds) {
			got = append(got, engine.FormatRanges(p))
		}
		if text := strings.Join(got, ";"); text != c.want {
			t.Errorf("%d or %v: %s, expected %s", c.n, c.together, text, c.want)
		}
	}
	for option, want := range map[string]int{"3": 4, "35s": 4, "1": 10, "2h": 1} {
		packs, err := Packs(option, 10, func(int) float64 { return 10 })
		if err != nil || len(packs) != want {
			t.Errorf("pack %s of ten cells of 10 s: %d packs, %v, expected %d", option, len(packs), err, want)
		}
	}
	for _, option := range []string{"0", "-1", "x", "10ms", "1e3", "10001"} {
		_, err := Packs(option, 2, func(int) float64 { return 1 })
		want := "slurm: option pack is \"" + option + "\", expected a number of cells in 1..10000, or the time that " +
			"they take together, such as 10m"
		if err == nil || err.Error() != want {
			t.Errorf("pack %s: %v, expected %s", option, err, want)
		}
	}
}

// TestSlurmPacks: five cells in two elements; the list, the script, and cells that end while others
// of their pack run.
func TestSlurmPacks(t *testing.T) {
	b := newBench(t, 0, 1, 2, 3, 7)
	b.option["pack"] = "3"
	err := b.run(func(i int) {
		switch i {
		case 1:
			b.slurm.set("101_0", "RUNNING", "None")
			b.set(0, sweep.Running, 0)
		case 2:
			b.set(0, sweep.Done, 0)
			b.set(1, sweep.Running, 0)
		case 3:
			b.set(1, sweep.Failed, 42)
			b.set(2, sweep.Done, 0)
			b.slurm.set("101_0", "FAILED", "NonZeroExitCode")
			b.slurm.set("101_1", "COMPLETED", "None")
			b.set(3, sweep.Done, 0)
			b.set(7, sweep.Done, 0)
		}
	})
	if err != nil {
		t.Error(err)
	}
	b.want("calls", b.slurm.calls, "sbatch --parsable DIR/slurm/submit-1.sh")
	b.want("events", b.events, "0 running", "0 done", "1 running", "2 done", "3 done", "7 done", "1 failed")
	b.want("log", strings.Split(strings.TrimSpace(b.log.String()), "\n"),
		"slurm: job 101: 5 cells (0-3,7) in 2 elements, script DIR/slurm/submit-1.sh")
	script, err := os.ReadFile(filepath.Join(b.dir, "slurm", "submit-1.sh"))
	if err != nil {
		t.Fatal(err)
	}
	last := "exec tarry sweep worker --out " + b.dir + " --pack " + b.dir +
		`/slurm/submit-1.packs --retries 0 --index "$((SLURM_ARRAY_TASK_ID + 0))"` + "\n"
	if option(script, "array") != "0-1" || !strings.HasSuffix(string(script), last) {
		t.Errorf("script:\n%s\nexpected elements 0-1 and at the end\n%s", script, last)
	}
	for i, want := range [][]int{{0, 1, 2}, {3, 7}} {
		if got, err := Pack(filepath.Join(b.dir, "slurm", "submit-1.packs"), i); err != nil ||
			!slices.Equal(got, want) {
			t.Errorf("element %d has %v, %v, expected %v", i, got, err, want)
		}
	}
	if _, err := Pack(filepath.Join(b.dir, "slurm", "submit-1.packs"), 2); err == nil ||
		!strings.HasSuffix(err.Error(), "no line 2, expected 0..1") {
		t.Errorf("a line too far: %v", err)
	}
}

// TestSlurmPackStopped: the time limit ends an element in its second cell. It is put back once,
// only the cell that ran is charged, and what is left of the pack continues.
func TestSlurmPackStopped(t *testing.T) {
	b := newBench(t, 0, 1, 2, 3)
	b.option["pack"] = "4"
	err := b.run(func(i int) {
		switch i {
		case 1:
			b.slurm.set("101_0", "TIMEOUT", "TimeLimit")
			b.set(0, sweep.Done, 0)
			b.set(1, sweep.Requeue, 75)
		case 8:
			for c := 1; c < 4; c++ {
				b.set(c, sweep.Done, 0)
			}
			b.slurm.set("101_0", "COMPLETED", "None")
		}
	})
	if err != nil {
		t.Error(err)
	}
	b.want("calls", b.slurm.calls, "sbatch --parsable DIR/slurm/submit-1.sh", "scontrol requeue 101_0")
	rec, err := readSlurmRecord(b.dir)
	if err != nil || rec.Counts[1].Timeouts != 1 || rec.Counts[2] != nil && *rec.Counts[2] != (slurmCounts{}) {
		t.Errorf("counts %+v, %v, expected one time limit for cell 1 alone", rec.Counts, err)
	}
}

// TestSlurmPackForgotten: the same command after the element was killed and Slurm forgot it hands
// in what is left.
func TestSlurmPackForgotten(t *testing.T) {
	b := newBench(t, 0, 1, 2, 3)
	b.option["pack"], b.option["no-wait"] = "4", "true"
	if err := b.run(nil); err != engine.ErrHandedOut {
		t.Fatal(err)
	}
	b.set(0, sweep.Done, 0)
	b.set(1, sweep.Running, 0) // killed
	b.slurm.set("101_0", "", "")
	if err := b.run(nil); err != engine.ErrHandedOut {
		t.Fatal(err)
	}
	rec, err := readSlurmRecord(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	queued := map[int]int{}
	for _, s := range rec.Submissions[1:] {
		for _, c := range s.cells {
			queued[c]++
		}
	}
	if len(queued) != 3 || queued[1] != 1 || queued[2] != 1 || queued[3] != 1 {
		t.Errorf("handed in again: %v, expected 1, 2 and 3 once each", queued)
	}
}

// TestSlurmPackNeverBegins: a script that fails before the worker is reported as for one cell, and
// an element that always ends before a cell's turn is given up.
func TestSlurmPackNeverBegins(t *testing.T) {
	b := newBench(t, 0, 1)
	b.option["pack"] = "2"
	if err := b.run(func(int) { b.slurm.set("101_0", "FAILED", "NonZeroExitCode") }); err != nil {
		t.Error(err)
	}
	if s := b.status[1]; s.State != sweep.Failed || !strings.Contains(s.Error,
		"the batch script ended before the worker began") {
		t.Errorf("STATUS %+v", s)
	}
	b = newBench(t, 0, 1)
	b.option["pack"], b.option["max-requeues"] = "2", "3"
	if err := b.run(func(int) {
		b.set(0, sweep.Done, 0)
		b.slurm.set("101_0", "NODE_FAIL", "NodeDown")
	}); err != nil {
		t.Error(err)
	}
	if s := b.status[1]; s.State != sweep.Failed || len(b.slurm.calls) != 1+3 {
		t.Errorf("STATUS %+v after %q, expected it to be given up after 3\n%s", s, b.slurm.calls, b.log.String())
	}
}
