package cost

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"time"

	"tarry/env/scenario"
	"tarry/run/trial"
)

// Child runs a case in this process, on one processor, and writes lines of three numbers to w, at
// each tick and at the end: GPUs of the cluster, jobs of the list, jobs that ended. The system kills
// the process when it has used limit whole seconds of processor time; the last line shows how far it
// came.
func Child(ctx context.Context, from scenario.Catalogues, c Case, limit int, ticks <-chan time.Time,
	w io.Writer) error {
	runtime.GOMAXPROCS(1)
	if err := limitProcessor(limit); err != nil {
		return fmt.Errorf("cost: limit of %d s: %w", limit, err)
	}
	tr, err := c.trial(from)
	if err != nil {
		return err
	}
	var ended atomic.Int64
	gpus, jobs := tr.Topology.GPUs(), tr.Jobs()
	report := func() { fmt.Fprintln(w, gpus, jobs, ended.Load()) }
	report()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-ticks:
				report()
			case <-stop:
				return
			}
		}
	}()
	results, err := trial.Run(ctx, []trial.Trial{tr}, trial.Options{Progress: func(_, n int) { ended.Add(int64(n)) }})
	close(stop)
	<-stopped
	if err != nil {
		return err
	}
	// Jobs that were refused or turned away are over too.
	row := results[0].Row
	ended.Store(int64(jobs) - row.Unfinished)
	report()
	return nil
}
