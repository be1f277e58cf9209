package sim

import (
	"fmt"
	"slices"
)

// idleRestarts counts the restarts after faults and kills, and the failures while no job runs, since a job
// last came, ended, or fell back to more work saved than at its fault before. A run without a set
// end stops at patience of them: it would never end, or last too long. It stops at fewer where a
// policy that acts by the clock made very many instants of them.
const (
	fewRestarts  = 1 << 10
	manyInstants = 1 << 20
)

// progressed notes that a job came, ended, or saved more than before.
func (s *span) progressed() { s.idleRestarts, s.instants = 0, 0 }

// tired reports whether a run has waited for progress for long enough.
func (s *span) tired() bool {
	return s.idleRestarts >= patience || s.idleRestarts >= fewRestarts && s.instants >= manyInstants
}

// restarted notes that a fault or kill sent a job back to what is saved of it.
func (e *Engine) restarted(r *run) {
	if r.saved < r.fell {
		r.fell = r.saved
		e.idle.progressed()
		return
	}
	e.noProgress(r)
}

// unused notes a failure that struck no job.
func (e *Engine) unused() {
	if len(e.running)+e.draining == 0 && e.inSystem > 0 {
		e.noProgress(nil)
	}
}

// noProgress counts one more, of a job or of none, and ends the run with the error where there are
// too many.
func (e *Engine) noProgress(r *run) {
	e.idle.idleRestarts++
	if !e.idle.tired() || e.nextSubmit != Never || e.cfg.Until > 0 || e.err != nil {
		return
	}
	if r == nil {
		e.err = fmt.Errorf("at %v: no job has ended or saved any work over %d failures, and %d jobs wait, among "+
			"them job %q, for GPUs that are hardly ever up together, "+
			"expected fewer faults, faster repairs, or an end of the run (until)", e.now, e.idle.idleRestarts, e.waiting,
			e.job(e.firstWaiting()).ID)
		return
	}
	j, how := e.job(r.id), "expected checkpoints (cost checkpoint_every_s)"
	if e.every > 0 {
		how = fmt.Sprintf("expected checkpoints (cost checkpoint_every_s) more often than every %v, restarts that "+
			"cost less", e.every)
	}
	why, times := "faults", r.faults
	if e.cfg.Costs.Kill {
		why, times = "faults and kills", r.faults+r.preemptions
	}
	e.err = fmt.Errorf("at %v: no job has ended or saved any work over %d restarts after %s: job %q has been "+
		"restarted %d times and needs about %v on %d GPUs from what is saved of it, %s, fewer %s, "+
		"or an end of the run (until)", e.now, e.idle.idleRestarts, why, j.ID, times, Time(r.saved/j.Width()), j.GPUs,
		how, why)
}

// firstWaiting is the first job that waits.
func (e *Engine) firstWaiting() JobID {
	first := JobID(e.total)
	for i := range e.runs {
		if r := &e.runs[i]; r.state == Waiting && slices.Contains(e.at, int32(i)) {
			first = min(first, r.id)
		}
	}
	return first
}
