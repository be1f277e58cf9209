package trial

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"tarry/output/durable"
	"tarry/output/results"
)

// Options set how to run a list of trials.
type Options struct {
	// Workers is the number of trials that are computed at once; < 1 means 1, which is computed by the
	// caller's own goroutine. Tables are written while the next trial is computed. It never changes a
	// result.
	Workers int
	// Out is the folder of the tables; "" = write nothing and reuse nothing.
	Out string
	// Files, if not nil, receive the tables, which take their names when their owner commits them;
	// nil = a trial's tables do when it ends.
	Files *results.Batch
	// Unsynced makes the tables durable together with other files, later; nil = a trial's are durable
	// when it ends. With Files it is not used.
	Unsynced *durable.Unsynced
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
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(opt.Workers, len(trials)) - 1 {
		group.Go(func() { p.work(&next) })
	}
	p.work(&next)
	group.Wait()
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

// work computes trials, the next in line each time, until there is none or the context ends. It
// writes the tables of one trial while it computes the next.
func (p *pool) work(next *atomic.Int64) {
	var writing sync.WaitGroup
	defer writing.Wait()
	for i := int(next.Add(1)) - 1; i < len(p.trials) && p.ctx.Err() == nil; i = int(next.Add(1)) - 1 {
		write, beside := p.compute(i)
		if writing.Wait(); beside {
			writing.Go(write)
		} else {
			write()
		}
	}
}

// mostHeld is up to how many jobs a trial may be in memory while the next is computed.
const mostHeld = 200_000

// compute runs or reuses one trial. What it returns writes the tables of the trial and reports it;
// beside states that the next trial may be computed meanwhile.
func (p *pool) compute(i int) (write func(), beside bool) {
	t, opt := &p.trials[i], &p.opt
	progress := func(ended int) {
		if opt.Progress != nil {
			opt.Progress(i, ended)
		}
	}
	s, r, err := p.open(t)
	start, finish := p.now(), func() error { return nil }
	switch {
	case err != nil:
	case r != nil:
		progress(t.Jobs())
	default:
		r, finish, err = t.run(p.ctx, s, progress)
		beside = err == nil && s.wants() && len(t.Workload.Jobs) <= mostHeld
	}
	return func() {
		if err == nil {
			err = finish()
		}
		if err != nil && s != nil {
			s.abort()
		}
		if err == nil && !r.Reused {
			r.Wall = p.now() - start
		}
		p.report(i, r, err)
	}, beside
}

// report keeps the result or the failure of a trial.
func (p *pool) report(i int, r *Result, err error) {
	if err != nil {
		r, err = nil, fmt.Errorf("%s: %w", p.trials[i].name(), err)
	}
	p.out[i], p.errs[i] = r, err
	if p.opt.Done != nil {
		p.telling.Lock()
		p.opt.Done(i, r, err)
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
	ctx := p.ctx
	if t.Stream == nil && len(t.Workload.Jobs) <= mostHeld {
		ctx = context.WithoutCancel(ctx) // what is computed is written, though the next is stopped
	}
	s := newStore(ctx, p.opt, t)
	if r := s.reuse(t); r != nil {
		return nil, r, nil
	}
	if err := s.begin(); err != nil {
		return nil, nil, err
	}
	return s, nil, nil
}
