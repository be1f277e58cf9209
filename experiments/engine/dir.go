package engine

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"sync"
	"time"

	"tarry/experiments/sweep"
)

// defaultStale is how long a lease may be without a heartbeat. Six beats go into it.
const (
	defaultStale  = time.Minute
	beatsPerStale = 6
)

// Dir runs the cells together with other hosts that are given the same folder and command, in any
// number, at any time: each takes the lease of a cell (see lease.go), runs it, and continues until
// every cell is over, on any host. A host that dies leaves a lease without heartbeats, which
// another takes over after the stale time.
func Dir(ctx context.Context, j *Job) error {
	release, err := j.Folder.Lock(true)
	if err != nil {
		return err
	}
	defer release()
	d := &shared{job: j, memory: newMeter(j.Memory), stale: j.Stale, todo: append([]int(nil), j.Pending...),
		seen: map[int]sighting{}, mine: map[int]bool{}, ended: make(chan struct{})}
	if d.stale <= 0 {
		d.stale = defaultStale
	}
	if n := len(d.todo); n > 0 { // hosts start at different places
		h := fnv.New32a()
		h.Write([]byte(j.Host))
		d.at = int(h.Sum32()) % n
		if d.at < 0 {
			d.at += n
		}
	}
	d.token = j.Host + "-" + strconv.Itoa(os.Getpid())
	var group sync.WaitGroup
	for range max(1, j.Parallel) {
		group.Go(func() { d.worker(ctx) })
	}
	group.Wait()
	return d.verdict(ctx)
}

// shared is a run of the engine.
type shared struct {
	job    *Job
	memory *meter
	stale  time.Duration
	token  string

	mu      sync.Mutex
	todo    []int // cells not known to be over
	at      int   // where the search continues
	seen    map[int]sighting
	mine    map[int]bool  // under way here
	ended   chan struct{} // closed, and another made, when one of mine ends
	large   map[int]error
	stopped error
}

func (d *shared) worker(ctx context.Context) {
	for {
		d.mu.Lock()
		ended := d.ended
		d.mu.Unlock()
		i, l, done := d.search(ctx)
		switch {
		case done:
			return
		case l == nil: // others have all that is left
			look, stop := context.WithTimeout(ctx, d.stale/(2*beatsPerStale))
			select {
			case <-look.Done():
			case <-ended: // perhaps the last that was left, of this host
			}
			stop()
		default:
			d.hold(ctx, i, l)
		}
	}
}

// search looks once at every cell that is left, and takes the first that is free.
func (d *shared) search(ctx context.Context) (index int, l *lease, done bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for looks := len(d.todo); looks > 0 && len(d.todo) > 0; looks-- {
		if ctx.Err() != nil || d.stopped != nil || d.job.late() {
			return 0, nil, true
		}
		if d.at >= len(d.todo) {
			d.at = 0
		}
		i := d.todo[d.at]
		if d.mine[i] || d.large[i] != nil {
			d.at++
			continue
		}
		if st := d.job.Folder.Status(i); st.Over(d.job.Retries) {
			d.over(i, st)
			continue
		}
		l, err := d.try(i)
		if err != nil {
			d.stopped = fmt.Errorf("%w: %w", sweep.ErrStorage, err)
			return 0, nil, true
		}
		if l != nil {
			d.mine[i] = true
			return i, l, false
		}
		d.at++
	}
	return 0, nil, len(d.todo) == len(d.large) || ctx.Err() != nil || d.stopped != nil || d.job.late()
}

// over takes a cell off the list. Cells that others ended are reported, too.
func (d *shared) over(i int, st sweep.Status) {
	d.todo = append(d.todo[:d.at], d.todo[d.at+1:]...)
	delete(d.seen, i)
	var err error
	if st.Error != "" {
		err = errors.New(st.Error)
	}
	d.job.Tell(Event{Index: i, State: st.State, Err: err})
}

// try takes a cell's lease if it is free, or has been without a heartbeat for too long.
func (d *shared) try(i int) (*lease, error) {
	was, now := d.seen[i], d.job.Clock()
	l, is, err := acquire(d.job.Folder.CellDir(i), d.token+"-"+strconv.Itoa(i), was, was.gen > 0 &&
		now-was.since >= d.stale)
	switch {
	case err != nil || l != nil:
		delete(d.seen, i)
	case is.gen != was.gen || is.text != was.text:
		is.since = now
		d.seen[i] = is
	}
	return l, err
}

// hold runs a cell while its lease beats.
func (d *shared) hold(ctx context.Context, i int, l *lease) {
	defer func() {
		d.mu.Lock()
		delete(d.mine, i)
		close(d.ended)
		d.ended = make(chan struct{})
		d.mu.Unlock()
	}()
	if st := d.job.Folder.Status(i); st.Over(d.job.Retries) { // it ended before the lease was taken
		d.note(l.release(st.State == sweep.Done))
		return
	}
	inner, stop := context.WithCancelCause(ctx)
	var beating sync.WaitGroup
	beating.Go(func() {
		for Wait(inner, d.stale/beatsPerStale) {
			if err := l.beat(); errors.Is(err, errLost) {
				stop(err)
			}
		}
	})
	err := d.run(inner, i, l)
	stop(nil)
	beating.Wait()
	st := d.job.Folder.Status(i)
	d.note(l.release(st.State == sweep.Done))
	if errors.Is(err, sweep.ErrStorage) {
		d.note(err)
	}
	if err != nil && !st.Over(d.job.Retries) {
		d.job.Tell(Event{Index: i, State: sweep.Requeue, Err: err})
	}
}

// run waits for memory and runs the cell.
func (d *shared) run(ctx context.Context, i int, l *lease) error {
	free, err := d.memory.take(ctx, func() int64 { return d.job.Folder.Need(i) })
	if err != nil {
		if ctx.Err() == nil {
			d.mu.Lock()
			if d.large == nil {
				d.large = map[int]error{}
			}
			d.large[i] = fmt.Errorf("cell %s: %w", d.job.Folder.ID(i), err)
			d.mu.Unlock()
		}
		return err
	}
	d.job.Tell(Event{Index: i, State: sweep.Running})
	err = d.job.startHeld(ctx, i, l.held, l.name())
	free(d.job.Folder.Status(i).PeakRSS)
	return err
}

// note keeps the first reason to stop.
func (d *shared) note(err error) {
	if err == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopped == nil {
		d.stopped = err
	}
}

// verdict is what the run comes to.
func (d *shared) verdict(ctx context.Context) error {
	switch {
	case d.stopped != nil:
		return fmt.Errorf("%w; nothing is lost: the same command continues", d.stopped)
	case ctx.Err() == nil && len(d.large) > 0 && len(d.todo) == len(d.large):
		var errs []error
		for _, i := range d.todo[:min(5, len(d.todo))] {
			errs = append(errs, d.large[i])
		}
		return errors.Join(append(errs,
			fmt.Errorf("%d cells not started: out of memory; raise --memory", len(d.large)))...)
	case len(d.todo) > 0:
		return fmt.Errorf("%d %w", len(d.todo), ErrRequeue)
	}
	return nil
}
