package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"tarry/experiments/sweep"
)

// Local runs the cells on this machine, in order: in this process, or with Isolate each in one of
// its own. Memory is asked for before a cell starts (see memory.go). It returns nil when every cell
// is over, whether it is done or failed; ErrRequeue when cells are left; and at once, without
// starting more, when the folder cannot be written.
func Local(ctx context.Context, j *Job) error {
	release, err := j.Folder.Lock(false)
	if err != nil {
		return err
	}
	defer release()
	l := &local{job: j, queue: append([]int(nil), j.Pending...), memory: newMeter(j.Memory),
		slots: make(chan struct{}, max(1, j.Parallel))}
	var group sync.WaitGroup
	for range perSlot * cap(l.slots) {
		group.Go(func() { l.worker(ctx) })
	}
	group.Wait()
	return l.verdict(ctx)
}

// perSlot is how many cells there are for each that is computed: the others are computed and wait for
// the disk, which makes the files of several cells durable almost as fast as the files of one. What
// a kill takes back is no more than these.
const perSlot = 4

// local is a run of the engine.
type local struct {
	job    *Job
	memory *meter
	slots  chan struct{} // of cells that are computed now

	mu      sync.Mutex
	queue   []int
	left    int   // cells that were stopped or could not start
	stopped error // why no more cells are started
	large   []error
}

// next gives the next cell; false when there is none, or none may start.
func (l *local) next(ctx context.Context) (int, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) == 0 || ctx.Err() != nil || l.stopped != nil || l.job.late() {
		return 0, false
	}
	i := l.queue[0]
	l.queue = l.queue[1:]
	return i, true
}

func (l *local) worker(ctx context.Context) {
	for l.one(ctx) {
	}
}

// one runs the next cell; false when there is none.
func (l *local) one(ctx context.Context) bool {
	l.slots <- struct{}{}
	leave := sync.OnceFunc(func() { <-l.slots })
	defer leave()
	i, ok := l.next(ctx)
	if !ok {
		return false
	}
	free, err := l.memory.take(ctx, func() int64 { return l.job.Folder.Need(i) })
	if err != nil {
		l.refuse(ctx, i, err)
		return true
	}
	l.job.Tell(Event{Index: i, State: sweep.Running})
	err = l.job.start(ctx, i, leave)
	st := l.job.Folder.Status(i)
	free(st.PeakRSS)
	l.ended(i, st, err)
	return true
}

// refuse keeps a cell that cannot start for another call.
func (l *local) refuse(ctx context.Context, i int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.left++
	if ctx.Err() == nil {
		l.large = append(l.large, fmt.Errorf("cell %s: %w", l.job.Folder.ID(i), err))
	}
}

// ended takes note of a cell that was run.
func (l *local) ended(i int, st sweep.Status, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case errors.Is(err, sweep.ErrStorage):
		l.stopped = err
		l.left++
		l.job.Tell(Event{Index: i, State: sweep.Requeue, Err: err})
	case errors.Is(err, sweep.ErrRequeue):
		l.left++
		l.job.Tell(Event{Index: i, State: sweep.Requeue, Err: err})
	case err != nil && sweep.ExitCode(err) == 1 && st.State == sweep.Failed && !st.Over(l.job.Retries):
		l.queue = append(l.queue, i)
		l.job.Tell(Event{Index: i, State: sweep.Requeue, Err: err})
	case err != nil && st.State == sweep.Cancelled:
		l.job.Tell(Event{Index: i, State: sweep.Cancelled, Err: err})
	case err != nil:
		l.job.Tell(Event{Index: i, State: sweep.Failed, Err: err})
	default:
		l.job.Tell(Event{Index: i, State: sweep.Done})
	}
}

// verdict is what the run comes to.
func (l *local) verdict(ctx context.Context) error {
	left := l.left + len(l.queue)
	switch {
	case l.stopped != nil:
		return fmt.Errorf("%w; %d cells are left, and nothing is lost: the same command continues", l.stopped, left)
	case len(l.large) > 0 && ctx.Err() == nil:
		return errors.Join(append(l.large[:min(len(l.large), 5)], fmt.Errorf("%d cells not started: out of memory; "+
			"raise --memory", len(l.large)))...)
	case left > 0:
		return fmt.Errorf("%d %w", left, ErrRequeue)
	}
	return nil
}

// late reports whether the time for starting cells is over.
func (j *Job) late() bool { return j.Until > 0 && j.Clock() >= j.Until }

// start runs a cell to its end, here or in a process of its own. computed is called when the cell
// that runs here waits for the disk alone.
func (j *Job) start(ctx context.Context, i int, computed func()) error {
	if j.Isolate {
		return j.process(ctx, i, "")
	}
	opt := j.Work
	opt.Computed = func() {
		computed()
		if j.Work.Computed != nil {
			j.Work.Computed()
		}
	}
	return j.here(ctx, i, opt)
}

// startHeld is start for a cell under a lease.
func (j *Job) startHeld(ctx context.Context, i int, commit func() error, token string) error {
	if j.Isolate {
		return j.process(ctx, i, token)
	}
	opt := j.Work
	opt.Commit = commit
	return j.here(ctx, i, opt)
}

// here runs a cell in this process.
func (j *Job) here(ctx context.Context, i int, opt sweep.WorkOptions) error {
	opt.Host = j.Host
	if opt.Clock == nil {
		begin := j.Clock()
		opt.Clock = func() time.Duration { return j.Clock() - begin }
	}
	return j.Folder.Work(ctx, i, opt)
}
