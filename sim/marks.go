package sim

import (
	"fmt"
	"math"

	"tarry/sim/end"
)

// What the queue holds besides the kinds of Event. Those from early on were rounded down to their
// instant: where anything else happens at it they wait until its decisions are taken.
const (
	atMark EventKind = 128 + iota
	early
	earlyMark
	earlyFinish
)

// hard is the kind of something that need not wait any more.
func (k EventKind) hard() EventKind {
	switch k {
	case earlyMark:
		return atMark
	case earlyFinish:
		return Finish
	}
	return k
}

// round sets finishAt to the multiple of grid next to d microseconds after settled, half to even,
// but not before settled.
func (r *run) round(d float64, grid Time) {
	base := r.settled - r.settled%(2*grid) // even: what is left to round is small
	x := (float64(r.settled-base) + d) / float64(grid)
	n := math.RoundToEven(x)
	r.finishAt, r.early = max(r.settled, base+Time(n)*grid), n < x
}

// done is the work done and not lost, in microseconds of one reference GPU, with left of it still
// to do.
func (e *Engine) done(id JobID, r *run, left float64) float64 {
	if r.state == Pending || r.state == Refused { // they share a record
		return 0
	}
	return max(r.passed, float64(e.job(id).Work)-left)
}

// leftNow is the work left at this instant.
func (e *Engine) leftNow(r *run) float64 {
	if r.state == Running && e.now > r.settled {
		return math.Max(r.least, r.left-float64(r.rate*float64(e.now-r.settled)))
	}
	return r.left
}

// aim asks at which work done the speed may change next.
func (e *Engine) aim(id JobID, r *run, q *Query) error {
	m := e.markOf(q)
	if !(m > q.Done) {
		return fmt.Errorf("job %q: speed model gave the mark %v with %v done, expected more than that", e.job(id).ID,
			m, q.Done)
	}
	r.mark, r.goal, r.due = m, math.Max(0, float64(q.Job.Work)-m), q.Now
	if d := (m - q.Done) / r.rate; d < float64(maxTime) {
		r.due += Time(math.Ceil(d - slack))
	}
	if e.grid > 0 {
		r.least = r.goal
	}
	return nil
}

// markOf is the next mark of a job; of copies the mark of the first to reach one.
func (e *Engine) markOf(q *Query) float64 {
	if q.CopyFrac == 0 || len(q.GPUs) == 0 {
		return e.progressive.Mark(q)
	}
	all, part, first := q.GPUs, q.CopyFrac, math.Inf(1)
	defer func() { q.GPUs, q.CopyFrac = all, part }()
	q.CopyFrac = 0
	for i := 0; i < len(all); {
		lo, m := i, e.top.Machine(all[i])
		for ; i < len(all) && e.top.Machine(all[i]) == m; i++ {
		}
		q.GPUs = all[lo:i:i]
		first = min(first, e.progressive.Mark(q))
	}
	return first
}

// pass takes a job over its mark and asks for its speed again.
func (e *Engine) pass(id JobID, r *run) error {
	at := e.now
	if e.grid > 0 { // what waited for the decisions of an instant counts from that
		at = max(r.settled, min(at, r.finishAt))
	}
	r.settle(at, e.every)
	r.left, r.passed = math.Min(r.left, r.goal), r.mark
	if r.watch == Progress && r.watchAt != Never && float64(r.watchAt) <= math.Ceil(r.passed) {
		r.watchAt = 0 // the mark rounded up: it crosses now
	}
	if e.coupled != nil {
		if err := e.replug(e.reached(id, r), 0); err != nil {
			return fmt.Errorf("job %q: %w", e.job(id).ID, err)
		}
	}
	q := e.reached(id, r)
	s, err := e.rated(id, q)
	if err != nil {
		return err
	}
	if s.Rate != r.rate || s.ComputeFrac != r.frac {
		k := e.knobs(r)
		e.split(id, r, at, end.Mark, &k)
		r.rate, r.frac = s.Rate, s.ComputeFrac
	}
	if err := e.aim(id, r, q); err != nil {
		return err
	}
	r.predict(e.grid)
	e.schedule(r)
	return nil
}

// reached is the query of a job that is settled at a mark.
func (e *Engine) reached(id JobID, r *run) *Query {
	q := e.query(id, r, r.gpus)
	q.Done, q.Now = e.done(id, r, r.left), max(r.settled, r.due)
	return q
}

// aimless forgets the marks of an allocation.
func (r *run) aimless() { r.goal, r.least, r.mark, r.early = 0, 0, 0, false }

// crossingWork is when the work done reaches a watched bound at the present rate; Never where the
// job has a mark first.
func (r *run) crossingWork(work float64) Time {
	bound, done := float64(r.watchAt), math.Max(r.passed, work-r.left)
	switch {
	case bound <= done:
		return 0 // at once
	case r.rate == 0 || r.goal > 0 && bound >= r.mark:
		return Never
	}
	d := (bound - done) / r.rate
	if !(d < float64(maxTime)) {
		return Never
	}
	return r.settled + max(0, Time(math.Ceil(d-slack)))
}

// verifyMark checks the marks of a running job.
func (e *Engine) verifyMark(j *Job, r *run) error {
	work, left := float64(j.Work), e.leftNow(r)
	room := float64(1e-9*work) + float64(2*slack*r.rate)
	if !(r.mark > r.passed) || r.goal != math.Max(0, work-r.mark) || left < r.goal-room || r.passed > work-left+room ||
		r.savedMark > r.passed {
		return fmt.Errorf("I14: job %q has %v of %v left between the marks %v and %v, saved after %v", j.ID, left,
			j.Work, r.passed, r.mark, r.savedMark)
	}
	return nil
}
