package slurm

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"tarry/experiments/engine"
	"tarry/experiments/sweep"
)

// TestSlurmCancel ends the sweep's jobs and no other.
func TestSlurmCancel(t *testing.T) {
	b := newBench(t, 0, 1)
	none := func(context.Context, time.Duration) bool { return true }
	if err := slurmCancel(context.Background(), b.dir, &b.log, slurmClient{b.slurm.run}, none); err != nil ||
		len(b.slurm.calls) != 0 {
		t.Errorf("without jobs: %v, %v", err, b.slurm.calls)
	}
	b.option["no-wait"] = "true"
	if err := b.run(nil); !errors.Is(err, engine.ErrHandedOut) {
		t.Fatal(err)
	}
	other := element{"7", 0}
	b.slurm.elements[other], b.slurm.order = &queued{name: "other", state: "RUNNING"}, append(b.slurm.order, other)
	var log bytes.Buffer
	for range 2 {
		if err := slurmCancel(context.Background(), b.dir, &log, slurmClient{b.slurm.run}, none); err != nil {
			t.Error(err)
		}
	}
	b.want("calls", b.slurm.calls, "sbatch --parsable DIR/slurm/submit-1.sh", "scancel 101")
	if log.String() != "slurm: cancelled [101]\n" || b.slurm.elements[other].state != "RUNNING" {
		t.Errorf("log %q, the other job is %s", log.String(), b.slurm.elements[other].state)
	}
	// Cancelled by hand while tarry watches: reported, and not put back.
	b = newBench(t, 3)
	err := b.run(func(int) { b.slurm.set("101_3", "CANCELLED", "None"); b.set(3, sweep.Requeue, 75) })
	b.want("events", b.events, "3 cancelled")
	if !errors.Is(err, engine.ErrRequeue) || err.Error() != "1 were cancelled in Slurm, cells are left: the same "+
		"command continues" {
		t.Errorf("cancelled by hand: %v", err)
	}
}
