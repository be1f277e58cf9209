package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"tarry/internal/sweep"
)

// look goes over the open cells once. Something changed when a cell moved on.
func (r *slurmRun) look(ctx context.Context, queue map[element]queued) (changed bool, err error) {
	counted := false
	r.unsure = 0
	for _, cell := range r.j.Pending {
		w := r.open[cell]
		if w == nil || r.fresh[cell] {
			continue
		}
		e := r.rec.last[cell].element()
		q, known := queue[e]
		if known && !q.over() {
			w.over = 0
			changed = r.underWay(cell, w, e, q) || changed
			continue
		}
		st := r.status(cell)
		if w.over++; st.State != sweep.Done && w.over < r.patience(q, st) {
			r.unsure++
			continue
		}
		changed, counted = true, true
		f := r.opt.fateOf(q, known, st, r.rec.count(cell), r.j.Retries)
		if err := r.settle(ctx, cell, e, q, known, f); err != nil {
			return changed, err
		}
	}
	if counted {
		err = r.rec.save()
	}
	return changed, err
}

// patience is how often an element must be seen over before it is believed. Slurm shows an element
// that it puts back as over for a moment, and a STATUS written on another host may come late.
func (r *slurmRun) patience(q queued, st sweep.Status) int {
	if (q.state == "COMPLETED" || q.state == "FAILED") && (st.State == sweep.Waiting || st.State == sweep.Running) {
		return 4
	}
	return 2
}

// usualReasons are why an element waits in the ordinary course of things.
const usualReasons = " None Priority Resources BeginTime JobArrayTaskLimit Dependency Cleaning NonZeroExitCode JobLaunchFailure TimeLimit NodeDown "

// underWay tells of an element that runs or waits.
func (r *slurmRun) underWay(cell int, w *watched, e element, q queued) (changed bool) {
	before := w.told
	switch q.state {
	case "RUNNING":
		w.told = sweep.Running
	case "PENDING", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT":
		if w.told == sweep.Running {
			w.told = sweep.Requeue
			r.say("%s (%s): put back by Slurm, %s", e, r.id(cell), q.reason)
		}
		switch {
		case strings.Contains(strings.ToLower(q.reason), "held"):
			r.say("elements are held (%s): scontrol release %s lets the first go", q.reason, e)
		case !strings.Contains(usualReasons, " "+q.reason+" ") && !r.noted[q.reason]:
			r.noted[q.reason] = true
			r.say("%s waits: %s", e, q.reason)
		}
	}
	if w.told == before {
		return false
	}
	r.j.tell(Event{Index: cell, State: w.told})
	return true
}

// settle does what was decided about a cell whose element is over.
func (r *slurmRun) settle(ctx context.Context, cell int, e element, q queued, known bool, f fate) error {
	id := r.id(cell)
	switch {
	case f.end != "":
		delete(r.open, cell)
		if f.ours {
			f.err = fmt.Errorf("%s: %w%s", e, f.err, lastLine(filepath.Join(r.rec.dir, "slurm", e.String()+".log")))
			if err := r.markFailed(cell, f.err); err != nil {
				return err
			}
		}
		if f.end == sweep.Cancelled {
			r.cancelled++
			r.say("%s (%s): cancelled", e, id)
		}
		r.j.tell(Event{Index: cell, State: f.end, Err: f.err})
		return nil
	case known:
		err := r.cli.requeue(ctx, e)
		if err == nil {
			r.say("%s (%s): %v; put back", e, id, f.err)
			break
		}
		if ctx.Err() != nil {
			return err
		}
		// Slurm has forgotten it, or has put it back itself since it was asked: two of it would run.
		queue, err := r.cli.queue(ctx, []string{q.name})
		if err != nil {
			return ctx.Err() // nobody answers: the next look decides
		}
		if now, there := queue[e]; there && !now.over() {
			r.say("%s (%s): put back by Slurm, %s", e, id, now.reason)
			break
		}
		fallthrough
	default:
		r.say("%s (%s): %v; handed in again", e, id, f.err)
		r.fresh[cell] = true
	}
	*r.open[cell] = watched{told: sweep.Requeue}
	r.j.tell(Event{Index: cell, State: sweep.Requeue, Err: f.err})
	return nil
}

// markFailed writes the STATUS of a cell that could not do so itself.
func (r *slurmRun) markFailed(cell int, why error) error {
	st := r.status(cell)
	st.State, st.Exit, st.Error = sweep.Failed, sweep.ExitCode(sweep.ErrPermanent), why.Error()
	return r.mark(cell, st)
}
