package trial

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"tarry/output/results"
)

// Options set how to run a list of trials.
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
	p := pool{ctx: ctx, trials: trials, opt: opt, out: make([]*Result, len(trials)), errs: make([]error, len(trials))}
	if n := min(opt.Workers, len(trials)); n > 1 {
		p.spread(n)
	} else {
		for i := range trials {
			if ctx.Err() == nil {
				p.one(i)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return p.out, err
	}
	return p.out, errors.Join(p.errs...)
}

// pool is a list of trials that run, with a place for the result or the failure of each.
type pool struct {
	ctx     context.Context
	trials  []Trial
	opt     Options
	out     []*Result
	errs    []error
	telling sync.Mutex // one call of opt.Done at a time
}

// spread runs trials on some goroutines until the context ends.
func (p *pool) spread(workers int) {
	next := make(chan int)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := range next {
				p.one(i)
			}
		})
	}
	for i := range p.trials {
		if p.ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	group.Wait()
}

// one runs or reuses one trial.
func (p *pool) one(i int) {
	t, opt := &p.trials[i], &p.opt
	progress := func(ended int) {
		if opt.Progress != nil {
			opt.Progress(i, ended)
		}
	}
	s, r, err := p.open(t)
	switch {
	case err != nil:
	case r != nil:
		progress(t.Jobs())
	default:
		start := p.now()
		if r, err = t.run(p.ctx, s, progress); err != nil {
			s.abort()
			break
		}
		r.Wall = p.now() - start
	}
	if err != nil {
		r, err = nil, fmt.Errorf("%s: %w", t.name(), err)
	}
	p.out[i], p.errs[i] = r, err
	if opt.Done != nil {
		p.telling.Lock()
		opt.Done(i, r, err)
		p.telling.Unlock()
	}
}

// now is the time by the clock in the options; 0 without one.
func (p *pool) now() time.Duration {
	if p.opt.Clock == nil {
		return 0
	}
	return p.opt.Clock()
}

// open checks a trial and prepares the place of its tables, or gives the result that is there.
func (p *pool) open(t *Trial) (*store, *Result, error) {
	if err := t.validate(); err != nil {
		return nil, nil, err
	}
	if t.Stream != nil && (p.opt.Out != "" || len(p.opt.Keep) > 0 || t.KeepIntervals) {
		return nil, nil, errors.New("tables of streamed jobs, expected held ones: rows of jobs are in the order of " +
			"submits")
	}
	s := newStore(p.ctx, p.opt, t)
	if r := s.reuse(t); r != nil {
		return nil, r, nil
	}
	if err := s.begin(); err != nil {
		return nil, nil, err
	}
	return s, nil, nil
}
