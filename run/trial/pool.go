package trial

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"tarry/output/results"
)

// Options say how to run a list of trials.
type Options struct {
	// Workers is the number of trials at once; < 1 means 1, which is the caller's own goroutine. It
	// never changes a result.
	Workers int
	// Out is the folder of the tables; "" = write nothing and reuse nothing.
	Out string
	// Files, if not nil, receive the tables, which take their names when their owner commits them;
	// nil = a trial's tables do when it ends.
	Files *results.Batch
	// Codec compresses the tables' files; "" = the default. Tables of another are written anew.
	Codec results.Codec
	// Version is the program's, for the metadata.
	Version string
	// Keep names tables whose rows stay in the Results, some of jobs, cluster and predictions;
	// Trial.KeepIntervals keeps the rows of intervals.
	Keep []string
	// Clock gives the time since some start, for Result.Wall; nil = not measured.
	Clock func() time.Duration
	// Progress is called from many goroutines with the number of jobs that ended since its
	// last call for the trial; nil = no listener.
	Progress func(trial, ended int)
	// Done is called, one call at a time, when a trial is over; nil = no listener.
	Done func(trial int, r *Result, err error)
}

// Run runs the trials and gives their results in the order of the trials. A trial that
// fails leaves a nil in its place and the others continue; the error joins all failures in that
// order. When ctx ends, trials under way stop and leave only complete files.
func Run(ctx context.Context, trials []Trial, opt Options) ([]*Result, error) {
	out := make([]*Result, len(trials))
	errs := make([]error, len(trials))
	var telling sync.Mutex
	run := func(i int) {
		out[i], errs[i] = one(ctx, &trials[i], opt, i)
		if opt.Done != nil {
			telling.Lock()
			opt.Done(i, out[i], errs[i])
			telling.Unlock()
		}
	}
	if n := min(opt.Workers, len(trials)); n > 1 {
		spread(ctx, n, len(trials), run)
	} else {
		for i := range trials {
			if ctx.Err() == nil {
				run(i)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return out, err
	}
	return out, errors.Join(errs...)
}

// spread runs trials by their numbers on some goroutines until ctx ends.
func spread(ctx context.Context, workers, trials int, run func(i int)) {
	next := make(chan int)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := range next {
				run(i)
			}
		})
	}
	for i := range trials {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	group.Wait()
}

// one runs or reuses one trial.
func one(ctx context.Context, t *Trial, opt Options, i int) (r *Result, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", t.name(), err)
		}
	}()
	if err := t.validate(); err != nil {
		return nil, err
	}
	progress := func(ended int) {
		if opt.Progress != nil {
			opt.Progress(i, ended)
		}
	}
	if t.Stream != nil && (opt.Out != "" || len(opt.Keep) > 0 || t.KeepIntervals) {
		return nil, errors.New("tables of streamed jobs, expected held ones: rows of jobs are in the order of submits")
	}
	s := newStore(ctx, opt, t)
	if r := s.reuse(t); r != nil {
		progress(t.Jobs())
		return r, nil
	}
	var start time.Duration
	if opt.Clock != nil {
		start = opt.Clock()
	}
	if err := s.begin(); err != nil {
		return nil, err
	}
	if r, err = t.run(ctx, s, progress); err != nil {
		s.abort()
		return nil, err
	}
	if opt.Clock != nil {
		r.Wall = opt.Clock() - start
	}
	return r, nil
}
