package abi

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tarry/output/results"
	"tarry/run/lock"
	"tarry/run/outdir"
	"tarry/run/parts"
)

// Work is a run in the background, until it is done or cancelled.
type Work struct {
	cancel context.CancelFunc
	done   chan struct{}
	// What follows is there when done is closed.
	status Status
	err    error
	report *Report
	frames map[string]*results.Frame
}

// Start begins a run. jobs, unless nil, is a Parquet file of jobs for the setting trace
// OwnJobs(jobs). With a caller, who has schedulers of its own, these decide on its goroutine, and the
// run is over when Start returns; nil = it has none.
func Start(from *parts.Catalogues, r RunRequest, jobs []byte, caller *Caller) *Work {
	ctx, cancel := context.WithCancel(context.Background())
	w := &Work{cancel: cancel, done: make(chan struct{}), status: Failed}
	if jobs != nil {
		from = withJobs(from, ownJobs(jobs))
	}
	if from, w.err = withOwn(from, r.Own, caller); w.err != nil {
		w.status = Refused
		close(w.done)
		return w
	}
	run := func() {
		defer close(w.done)
		w.run(ctx, from, r, caller)
	}
	if caller != nil {
		run()
	} else {
		go run()
	}
	return w
}

// run sorts what comes of it.
func (w *Work) run(ctx context.Context, from *parts.Catalogues, r RunRequest, caller *Caller) {
	w.err = kept(func() error {
		s, err := r.setupUntil(ctx, from, caller)
		if err == nil {
			w.report, w.frames, err = r.simulate(ctx, s, from, caller)
		}
		return err
	})
	switch {
	case errors.Is(w.err, errFault):
		w.status = Failed
	case w.err == nil:
		w.status = OK
	case errors.Is(w.err, ErrStopped):
		w.status = Stopped
	case errors.Is(w.err, context.Canceled):
		w.status, w.err = Stopped, errors.New("interrupted; all files on disk are complete, and the same call "+
			"resumes from them")
	case errors.Is(w.err, outdir.ErrOther), errors.Is(w.err, lock.ErrForeign), errors.As(w.err, new(refused)):
		w.status = Refused
	default:
		w.status = Broken
	}
}

// Wait waits until the run is over or something is received from enough. It gives Running, or how
// the run ended.
func (w *Work) Wait(enough <-chan time.Time) Status {
	select {
	case <-w.done:
		return w.status
	default:
	}
	select {
	case <-w.done:
		return w.status
	case <-enough:
		return Running
	}
}

// Cancel lets the run end soon, with complete files only.
func (w *Work) Cancel() { w.cancel() }

// Fault is the text of a run that is over and is not OK.
func (w *Work) Fault() string {
	if w.err == nil {
		return ""
	}
	return w.err.Error()
}

// Report is the report of a run that ended well.
func (w *Work) Report() *Report { return w.report }

// Table gives a table of a run that is over and OK.
func (w *Work) Table(name string) (*results.Frame, error) {
	select {
	case <-w.done:
	default:
		return nil, errors.New("the run is not over")
	}
	if f := w.frames[name]; f != nil {
		return f, nil
	}
	var there []string
	for _, table := range RunTables() {
		if w.frames[table] != nil {
			there = append(there, table)
		}
	}
	return nil, fmt.Errorf("table %q was not kept, expected one of %s, or a run with tables=[%q]", name,
		strings.Join(there, ", "), name)
}
