package sim

import "fmt"

// lift gives a running job's GPUs back until a move in the same decisions gives it others. The
// allocation is booked when that comes: only the move states why it ended.
func (e *Engine) lift(r *run) {
	e.halt(r)
	e.vacateAll(r)
	e.stop(r)
	r.lifted = true
	e.lifted++
}

// aloft names a job that the decisions have left without GPUs.
func (e *Engine) aloft() error {
	for s := range e.runs {
		if r := &e.runs[s]; r.lifted {
			return fmt.Errorf("at %v: job %q is lifted after the last decision, expected a migrate or resize of it",
				e.now, e.job(r.id).ID)
		}
	}
	return nil
}
