package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"tarry/experiments/sweep"
	"tarry/output/durable"
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
	l := &local{job: j, queue: append([]int(nil), j.Pending...), memory: newMeter(j.Memory)}
	if !j.Isolate {
		if l.unsynced, err = j.Folder.Unsynced(); err != nil {
			return err
		}
	}
	var workers, disk sync.WaitGroup
	for range max(1, j.Parallel) {
		workers.Go(func() { l.worker(ctx) })
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	disk.Go(func() { l.sync(running) })
	workers.Wait()
	stop()
	disk.Wait()
	l.stop(j.Folder.Synced(l.unsynced))
	return l.verdict(ctx)
}

// syncEvery is the time between two syncs of the cells that are done. After a power cut, cells that
// ended since the last one may run again.
const syncEvery = time.Second

// sync makes cells durable, many at once, while others are computed.
func (l *local) sync(running context.Context) {
	for l.unsynced != nil && Wait(running, syncEvery) {
		l.stop(l.unsynced.Sync())
	}
}

// stop starts no more cells, if there is a reason.
func (l *local) stop(err error) {
	if err == nil {
		return
	}
	if !errors.Is(err, sweep.ErrStorage) {
		err = fmt.Errorf("%w: %w", sweep.ErrStorage, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped == nil {
		l.stopped = err
	}
}

// local is a run of the engine.
type local struct {
	job      *Job
	memory   *meter
	unsynced *durable.Unsynced // makes cells durable; nil = each does so itself

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
	err = l.job.start(ctx, i, l.unsynced)
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

// start runs a cell to its end, here or in a process of its own.
func (j *Job) start(ctx context.Context, i int, u *durable.Unsynced) error {
	if j.Isolate {
		return j.process(ctx, i, "")
	}
	opt := j.Work
	opt.Unsynced = u
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
