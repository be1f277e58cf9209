package slurm

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tarry/experiments/engine"
	"tarry/experiments/sweep"
)

// Run runs cells as elements of Slurm's job arrays. It writes batch scripts into slurm/ of the
// sweep's folder, hands them in, watches the queue and the cells' STATUS files, and puts back the
// elements that were stopped, ran into their time limit or lost their node and that Slurm does not
// put back itself. Accounting is not needed.
//
// slurm/jobs.json states what was handed in: the same command continues with those jobs and hands
// in nothing twice. With the option no-wait it looks once, does what there is to do and returns
// engine.ErrHandedOut. It returns nil when every cell is over, whether it is done or failed. When
// ctx ends the jobs stay in the queue, and the error wraps engine.ErrRequeue.
func Run(ctx context.Context, j *engine.Job) error {
	opt, err := parseSlurmOptions(j.Options, j.Places)
	if err != nil {
		return err
	}
	release, err := j.Folder.Lock(false)
	if err != nil {
		return err
	}
	defer release()
	r, err := newSlurmRun(j, &opt, slurmClient{runCommand})
	if err != nil {
		return err
	}
	if r.rec, err = readSlurmRecord(r.rec.dir); err != nil {
		return err
	}
	if missing := missingCommands(); len(missing) > 0 {
		return r.withoutSlurm(missing)
	}
	return r.all(ctx)
}

// slurmRun is one call of the engine.
type slurmRun struct {
	j    *engine.Job
	opt  *slurmOptions
	cli  slurmClient
	rec  *slurmRecord
	work string // where the scripts run, absolute
	// open are the cells that are not over; fresh the cells of them that are to be handed in.
	open  map[int]*watched
	fresh map[int]bool
	// unsure is the number of open cells whose element was seen over and is looked at again.
	unsure, cancelled int
	// refused is when sbatch last refused further elements, because a bound was reached.
	refused time.Duration
	noted   map[string]bool // messages that were written once
	// of the sweep's folder, and of the clock
	id     func(index int) string
	status func(index int) sweep.Status
	mark   func(index int, s sweep.Status) error
	pause  func(ctx context.Context, d time.Duration) bool
	// seconds estimates how long a cell takes.
	seconds func(index int) float64
}

// watched is a cell under way.
type watched struct {
	told sweep.State // the last event
	over int         // how often in a row its element was seen over
}

// newSlurmRun makes the folder of the scripts.
func newSlurmRun(j *engine.Job, opt *slurmOptions, cli slurmClient) (*slurmRun, error) {
	dir, err := filepath.Abs(j.Dir)
	if err != nil {
		return nil, err
	}
	work, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "slurm"), 0o777); err != nil {
		return nil, fmt.Errorf("%w: %w", sweep.ErrStorage, err)
	}
	if opt.name == "" {
		opt.name = "tarry-" + j.Folder.Spec.Name
	}
	return &slurmRun{j: j, opt: opt, cli: cli, rec: &slurmRecord{dir: dir}, work: work, open: map[int]*watched{},
		fresh: map[int]bool{}, noted: map[string]bool{}, id: j.Folder.ID, status: j.Folder.Status, mark: j.Folder.Mark,
		pause: engine.Wait, seconds: j.Folder.Seconds}, nil
}

// say writes a line for the user, once.
func (r *slurmRun) say(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if !r.noted[line] {
		r.noted[line] = true
		fmt.Fprintf(r.j.Log, "slurm: %s\n", line)
	}
}

// all hands in, watches and puts back until all cells are over.
func (r *slurmRun) all(ctx context.Context) error {
	if err := r.attach(ctx); err != nil {
		return r.left(ctx, err)
	}
	d, deaf := time.Second, 0
	for round := 0; len(r.open) > 0; round++ {
		if err := r.submitFresh(ctx); err != nil {
			return r.left(ctx, err)
		}
		if r.opt.handOut && round > 0 && r.unsure == 0 {
			r.say("%d cells are in the queue; the same command, or tarry sweep status, states how far they are",
				len(r.open))
			return engine.ErrHandedOut
		}
		queue, err := r.cli.queue(ctx, r.rec.names(r.isOpen))
		changed := false
		switch {
		case err != nil && ctx.Err() == nil:
			if deaf++; deaf > 40 {
				return fmt.Errorf("slurm: %w; asked %d times. The jobs are not touched: the same command continues",
					err, deaf)
			}
			r.say("%v; asked again", err)
		case err == nil:
			deaf = 0
			if changed, err = r.look(ctx, queue); err != nil {
				return r.left(ctx, err)
			}
		}
		if d = min(d*3/2, r.opt.poll); changed || r.opt.handOut {
			d = time.Second
		}
		if len(r.open) > 0 && !r.pause(ctx, d) {
			return r.left(ctx, ctx.Err())
		}
	}
	if r.cancelled > 0 {
		return fmt.Errorf("%d were cancelled in Slurm, %w", r.cancelled, engine.ErrRequeue)
	}
	return nil
}

// left reports what becomes of the jobs when the watch ends early.
func (r *slurmRun) left(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return fmt.Errorf("%w: the jobs stay in the queue (tarry sweep cancel %s ends them)", engine.ErrRequeue, r.j.Dir)
}

func (r *slurmRun) isOpen(cell int) bool { return r.open[cell] != nil }

// attach sorts the pending cells into cells that the queue has and cells to be handed in.
func (r *slurmRun) attach(ctx context.Context) error {
	for _, cell := range r.j.Pending {
		r.open[cell] = &watched{}
	}
	if err := r.sameSweep(ctx); err != nil {
		return err
	}
	queue, err := r.cli.queue(ctx, r.rec.names(r.isOpen))
	if err != nil {
		return err
	}
	if err := r.adopt(queue); err != nil {
		return err
	}
	again := 0
	for _, cell := range r.j.Pending {
		p, known := r.rec.last[cell]
		q, queued := queue[p.element()]
		switch st := r.status(cell); {
		case known && queued && !q.over():
			again++
		case known && (st.State == sweep.Running || st.State == sweep.Requeue || queued && st.State == sweep.Waiting &&
			r.stopped(p.pack())):
			// it, or one of its pack, was stopped between two looks: look decides
		default:
			r.fresh[cell] = true
			delete(r.rec.Counts, cell)
		}
	}
	if again > 0 {
		r.say("%d cells are in the queue already", again)
	}
	return nil
}

// stopped reports whether a cell of a pack was stopped on the way: its element will be put back,
// with all of them.
func (r *slurmRun) stopped(pack []int) bool {
	return slices.ContainsFunc(pack, func(cell int) bool {
		state := r.status(cell).State
		return r.open[cell] != nil && (state == sweep.Running || state == sweep.Requeue)
	})
}

// sameSweep starts the record afresh when cells were added to the sweep since: their numbers are
// others now. While elements with the old numbers are in the queue that is an error.
func (r *slurmRun) sameSweep(ctx context.Context) error {
	sum := r.j.Folder.SHA256
	if r.rec.Sweep != sum && len(r.rec.Submissions) > 0 {
		queue, err := r.cli.queue(ctx, r.rec.allNames())
		if err != nil {
			return err
		}
		for e, q := range queue {
			if !q.over() {
				return fmt.Errorf("slurm: the sweep has other cells than when job %s was handed in: wait for its "+
					"jobs, or end them with tarry sweep cancel %s", e.job, r.j.Dir)
			}
		}
		r.rec.Submissions = nil
		clear(r.rec.Counts)
		r.rec.index()
	}
	r.rec.Sweep = sum
	return nil
}

// adopt finds the job of a script that was handed in without the answer being recorded: by a
// process that was killed in between, or by hand.
func (r *slurmRun) adopt(queue map[element]queued) error {
	byName := map[string]string{}
	for e, q := range queue {
		byName[q.name] = e.job
	}
	changed := false
	for _, s := range append([]*submission(nil), r.rec.Submissions...) {
		if s.Job != "" {
			continue
		}
		changed = true
		if s.Job = byName[s.Name]; s.Job == "" {
			r.rec.drop(s)
		}
	}
	if !changed {
		return nil
	}
	return r.rec.save()
}
