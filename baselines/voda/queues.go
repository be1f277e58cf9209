package voda

import (
	"math"

	"tarry/sim"
	"tarry/sim/plan"
)

// queues keeps for every job which of the two queues of Tiresias it is in.
type queues struct {
	bound sim.Time // GPU-time since its last start at which a job falls to queue 1
	knob  float64  // a job comes back after knob times its last run; negative = never
	check sim.Time // queues change at multiples of it; 0 = at once
	jobs  []standing
	due   plan.Heap[sim.Time, sim.JobID] // when a job is to change its queue
	moved []sim.JobID                    // at this instant
}

// standing is where a job stands.
type standing struct {
	queue int
	// service0 and run0 are the job's counters when it last started.
	service0, run0 sim.Time
}

func (q *queues) open(jobs int) {
	q.jobs = make([]standing, jobs)
	q.due = plan.NewHeap[sim.Time, sim.JobID](make([]int32, jobs))
}

// next is the first instant at which a job changes its queue; Never when none is known.
func (q *queues) next() sim.Time {
	if _, at, ok := q.due.First(); ok {
		return at
	}
	return sim.Never
}

// grid is the first check at or after an instant.
func (q *queues) grid(t sim.Time) sim.Time {
	if q.check == 0 {
		return t
	}
	return (t + q.check - 1) / q.check * q.check
}

// starts notes that a job is started, and asks for an event when it has had the GPU-time of its
// queue.
func (q *queues) starts(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	s := &q.jobs[j]
	s.service0, s.run0 = v.Run(j).Service(), v.Run(j).Time()
	q.due.Drop(j)
	if s.queue > 0 {
		return out
	}
	return append(out, sim.Decision{Kind: sim.Watch, Job: j, Counter: sim.Service, Bound: s.service0 + q.bound})
}

// crossed notes that a job has had it: it falls at the next check.
func (q *queues) crossed(v *sim.View, j sim.JobID) {
	if v.Run(j).State() == sim.Running {
		q.due.Set(j, q.grid(v.Now()))
	}
}

// waits notes that a job has begun to wait now. One that has had the GPU-time of its queue still
// falls; one of queue 1 comes back when it has waited for long.
func (q *queues) waits(v *sim.View, j sim.JobID) {
	s := &q.jobs[j]
	q.due.Drop(j)
	switch {
	case s.queue == 0 && v.Run(j).Service()-s.service0 >= q.bound:
		q.due.Set(j, q.grid(v.Now()))
	case s.queue > 0:
		q.promise(v, j, v.Now())
	}
}

// promise sets when a job of queue 1 that waits from an instant on comes back.
func (q *queues) promise(v *sim.View, j sim.JobID, from sim.Time) {
	if q.knob < 0 {
		return
	}
	d := math.Ceil(float64(q.knob * float64(v.Run(j).Time()-q.jobs[j].run0)))
	if d < float64(math.MaxInt64/4) {
		q.due.Set(j, q.grid(from+max(1, sim.Time(d))))
	}
}

// look moves the jobs that are due; it reports whether there are any. moved lists them.
func (q *queues) look(v *sim.View) bool {
	q.moved = q.moved[:0]
	for {
		j, at, ok := q.due.First()
		if !ok || at > v.Now() {
			return len(q.moved) > 0
		}
		q.due.Drop(j)
		s := &q.jobs[j]
		if s.queue = 1 - s.queue; s.queue > 0 && v.Run(j).State() == sim.Waiting {
			q.promise(v, j, v.Run(j).Since())
		}
		q.moved = append(q.moved, j)
	}
}

// ends forgets a job.
func (q *queues) ends(j sim.JobID) { q.due.Drop(j) }

func (q *queues) clone() queues {
	c := *q
	c.jobs, c.due, c.moved = append([]standing(nil), q.jobs...), q.due.Clone(nil), nil
	return c
}
