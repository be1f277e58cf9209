package sim

import (
	"fmt"
	"slices"
)

// Stream gives jobs one by one, so that a run holds those alone that are in the system. It belongs
// to one run.
type Stream interface {
	// Len is how many jobs there are in all.
	Len() int
	// Next sets j to the next job in order of (Submit, ID), with fields of an earlier one cleared;
	// false after the last.
	Next(j *Job) bool
}

// A job has a row, an index into Engine.runs, from its arrival to the instant after its end. The
// first rows stand for all jobs that have none; Engine.at gives the row of each job, so that what
// is kept of a job outside the system is four bytes, and its Record where the jobs are held.
const (
	rowPending int32 = iota
	rowDone
	rowRefused
	rowRejected
	rows
)

// unlisted is the record of jobs without a row.
func unlisted(s JobState) run {
	return run{id: NoJob, state: s, start: Never, end: Never, leaseEnd: Never, watchAt: Never, at: -1}
}

// prepare makes the first rows and the place in line of a run's jobs.
func (e *Engine) prepare() error {
	e.total = len(e.jobs)
	if s := e.cfg.Stream; s != nil {
		if e.total = s.Len(); e.total < 0 || e.total > 1<<31-2 {
			return fmt.Errorf("config: a stream of %d jobs, expected 0..%d", e.total, 1<<31-2)
		}
		e.own = make([]Job, rows)
	} else {
		e.past = make([]Record, e.total)
	}
	e.at = make([]int32, e.total)
	e.runs = append(e.runs, unlisted(Pending), unlisted(Done), unlisted(Refused), unlisted(Rejected))
	e.events.pos = make([]int32, rows)
	return e.advanceLine()
}

// of is the kernel's record of a job.
func (e *Engine) of(id JobID) *run { return &e.runs[e.at[id]] }

// job is the job as the trace gives it; in a stream only of jobs that have a row.
func (e *Engine) job(id JobID) *Job {
	if e.own != nil {
		return &e.own[e.at[id]]
	}
	return &e.jobs[id]
}

// Job is a job as the trace gives it. Where jobs are streamed it is known from its arrival to the
// end of the instant at which it ends, and empty else. It must not be kept.
func (e *Engine) Job(id JobID) *Job { return e.job(id) }

// advanceLine looks at the next job in line and sets when it comes.
func (e *Engine) advanceLine() error {
	e.nextSubmit = Never
	if e.cfg.Stream == nil {
		if e.next < e.total {
			e.nextSubmit = e.jobs[e.next].Submit
		}
		return nil
	}
	was := e.nextJob.Submit
	if !e.cfg.Stream.Next(&e.nextJob) {
		if e.next < e.total {
			return fmt.Errorf("the stream ended after %d jobs, expected %d", e.next, e.total)
		}
		return nil
	}
	if e.next >= e.total {
		return fmt.Errorf("the stream has more jobs than the %d that it announced", e.total)
	}
	if err := e.nextJob.Check(); err != nil {
		return fmt.Errorf("job %q: %w", e.nextJob.ID, err)
	}
	if err := e.nextJob.Holds(e.top); err != nil {
		return fmt.Errorf("job %q %w", e.nextJob.ID, err)
	}
	if e.nextJob.Submit < was {
		return fmt.Errorf("job %q: submit %v is before its predecessor's %v, expected jobs sorted by submit",
			e.nextJob.ID, e.nextJob.Submit, was)
	}
	e.nextSubmit = e.nextJob.Submit
	return nil
}

// enter gives a job that arrives a row.
func (e *Engine) enter(id JobID) *run {
	s := int32(len(e.runs))
	if n := len(e.vacant); n > 0 {
		s = e.vacant[n-1]
		e.vacant = e.vacant[:n-1]
	} else {
		if len(e.runs) == cap(e.runs) { // append alone copies large lists often
			e.runs = slices.Grow(e.runs, len(e.runs))
		}
		e.runs = append(e.runs, run{})
		e.events.pos = append(e.events.pos, 0)
		if e.own != nil {
			e.own = append(e.own, Job{})
		}
	}
	if e.own != nil {
		e.own[s] = e.nextJob
	}
	e.at[id] = s
	w, r := float64(e.job(id).Work), &e.runs[s]
	*r = e.runs[rowPending]
	r.id, r.left, r.saved, r.fell = id, w, w, w
	return r
}

// arrive lets a job come: it waits, or is refused where the cluster can never hold it.
func (e *Engine) arrive(id JobID) {
	r := e.enter(id)
	if !e.job(id).Fits(e.top) {
		r.state = Refused
		e.tell(id)
		e.refuse(id)
		return
	}
	e.inSystem++
	e.idle.progressed()
	e.foretell(id)
	e.wait(r)
	e.batch = append(e.batch, Event{Kind: Arrive, Job: id})
}

// wait lets a job wait, leave takes one that has ended out of the system.
func (e *Engine) wait(r *run) {
	r.state, r.since = Waiting, e.now
	e.discard(r)
	e.usual(r)
	if !e.isReplica(r.id) {
		e.waiting++
	}
}

func (e *Engine) leave(r *run) {
	r.end = e.now
	e.leaving = append(e.leaving, r.id)
	e.inSystem--
	e.idle.progressed()
	e.tell(r.id)
}

// refuse takes the row of a job away that the cluster can never hold.
func (e *Engine) refuse(id JobID) {
	s := e.at[id]
	if e.own != nil {
		e.own[s] = Job{}
	}
	e.at[id] = rowRefused
	e.vacant = append(e.vacant, s)
}

// clear takes the rows of the jobs that ended at the last instant away. Their records stay where
// jobs are held.
func (e *Engine) clear() {
	for _, id := range e.leaving {
		s := e.at[id]
		if e.past != nil {
			e.past[id] = e.runs[s].record()
		}
		e.at[id] = rowDone
		if e.runs[s].state == Rejected {
			e.at[id] = rowRejected
		}
		if e.own != nil {
			e.own[s] = Job{}
		}
		e.vacant = append(e.vacant, s)
	}
	e.leaving = e.leaving[:0]
}

// Stream gives the jobs of a workload one by one; any number of them may be under way.
func (w *Workload) Stream() Stream { return &listed{jobs: w.Jobs} }

// listed is a stream of jobs that are held elsewhere.
type listed struct {
	jobs []Job
	next int
}

func (l *listed) Len() int { return len(l.jobs) }

func (l *listed) Next(j *Job) bool {
	if l.next == len(l.jobs) {
		return false
	}
	*j = l.jobs[l.next]
	l.next++
	return true
}
