package slurm

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"tarry/experiments/engine"
	"tarry/experiments/sweep"
)

// look goes over the open cells once. Something changed when a cell moved on.
func (r *slurmRun) look(ctx context.Context, queue map[element]queued) (changed bool, err error) {
	counted := false
	r.unsure = 0
	var back []returned
	for _, cell := range r.j.Pending {
		w := r.open[cell]
		if w == nil || r.fresh[cell] {
			continue
		}
		p := r.rec.last[cell]
		e := p.element()
		q, known := queue[e]
		pack := p.pack()
		if known && !q.over() && pack == nil {
			w.over = 0
			changed = r.underWay(cell, w, e, q) || changed
			continue
		}
		st := r.status(cell)
		if known && !q.over() { // others of its pack may run: what is over of them is over
			w.over = 0
			switch {
			case st.Over(r.j.Retries):
				changed = true
				r.end(cell, e, r.opt.outcomeOf(queued{}, false, st, r.rec.count(cell), r.j.Retries))
			case st.State == sweep.Running || q.state != "RUNNING":
				changed = r.underWay(cell, w, e, q) || changed
			}
			continue
		}
		if w.over++; st.State != sweep.Done && w.over < r.patience(q, st) {
			r.unsure++
			continue
		}
		changed, counted = true, true
		f, waits := r.packOutcome(cell, pack, q, st)
		if !waits {
			f = r.opt.outcomeOf(q, known, st, r.rec.count(cell), r.j.Retries)
		}
		if f.end == "" {
			back = append(back, returned{cell, e, q, known, f})
		} else if err := r.settle(cell, e, f); err != nil {
			return changed, err
		}
	}
	if err := r.putBack(ctx, back); err != nil {
		return changed, err
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
const usualReasons = " None Priority Resources BeginTime JobArrayTaskLimit Dependency Cleaning NonZeroExitCode " +
	"JobLaunchFailure TimeLimit NodeDown "

// underWay reports an element that runs or waits.
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
	r.j.Tell(engine.Event{Index: cell, State: w.told})
	return true
}

// settle ends a cell whose element is over.
func (r *slurmRun) settle(cell int, e element, f outcome) error {
	if f.ours {
		f.err = fmt.Errorf("%s: %w%s", e, f.err, lastLine(filepath.Join(r.rec.dir, "slurm", e.String()+".log")))
		if err := r.markFailed(cell, f.err); err != nil {
			return err
		}
	}
	r.end(cell, e, f)
	return nil
}

// end takes a cell out of the watched cells.
func (r *slurmRun) end(cell int, e element, f outcome) {
	delete(r.open, cell)
	if f.end == sweep.Cancelled {
		r.cancelled++
		r.say("%s (%s): cancelled", e, r.id(cell))
	}
	r.j.Tell(engine.Event{Index: cell, State: f.end, Err: f.err})
}

// returned is a cell that is put back.
type returned struct {
	cell  int
	e     element
	q     queued
	known bool
	f     outcome
}

// putBack puts elements back, each once, however many of its cells are not over.
func (r *slurmRun) putBack(ctx context.Context, back []returned) error {
	done := map[element]bool{} // true: it is in the queue again
	for _, b := range back {
		queued, asked := done[b.e]
		if !asked {
			var err error
			if queued, err = r.requeue(ctx, b); err != nil {
				return err
			}
			done[b.e] = queued
		} else if queued {
			r.say("%s (%s): %v; put back", b.e, r.id(b.cell), b.f.err)
		}
		if !queued {
			r.say("%s (%s): %v; handed in again", b.e, r.id(b.cell), b.f.err)
			r.fresh[b.cell] = true
		}
		*r.open[b.cell] = watched{told: sweep.Requeue}
		r.j.Tell(engine.Event{Index: b.cell, State: sweep.Requeue, Err: b.f.err})
	}
	return nil
}

// requeue puts an element back; false: Slurm has forgotten it, its cells are to be handed in again.
func (r *slurmRun) requeue(ctx context.Context, b returned) (queued bool, err error) {
	if !b.known {
		return false, nil
	}
	err = r.cli.requeue(ctx, b.e)
	if err == nil {
		r.say("%s (%s): %v; put back", b.e, r.id(b.cell), b.f.err)
		return true, nil
	}
	if ctx.Err() != nil {
		return false, err
	}
	// Slurm has forgotten it, or has put it back itself since it was asked: two of it would run.
	queue, err := r.cli.queue(ctx, []string{b.q.name})
	if err != nil {
		return true, ctx.Err() // no answer: the next look decides
	}
	if now, there := queue[b.e]; there && !now.over() {
		r.say("%s (%s): put back by Slurm, %s", b.e, r.id(b.cell), now.reason)
		return true, nil
	}
	return false, nil
}

// markFailed writes the STATUS of a cell that could not do so itself.
func (r *slurmRun) markFailed(cell int, why error) error {
	st := r.status(cell)
	st.State, st.Exit, st.Error = sweep.Failed, sweep.ExitCode(sweep.ErrPermanent), why.Error()
	return r.mark(cell, st)
}
