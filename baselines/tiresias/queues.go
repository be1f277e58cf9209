package tiresias

import (
	"math"

	"tarry/sim"
	"tarry/sim/plan"
)

// queues keeps, for every job, the queue it is in and when it is due for promotion.
type queues struct {
	// bounds[i] is the service, in GPU-microseconds since the last promotion, at which a job leaves
	// queue i.
	bounds []sim.Time
	// knob is PROMOTEKNOB; 0 = no promotion.
	knob float64
	jobs []place
	due  plan.Heap[sim.Time, sim.JobID] // by the instant of promotion
}

// place is where a job stands.
type place struct {
	queue int
	// service0 and run0 are the job's counters at its last promotion.
	service0, run0 sim.Time
}

// last reports whether a job is in the last queue, which it leaves by promotion alone.
func (q *queues) last(j sim.JobID) bool { return q.jobs[j].queue == len(q.bounds) }

// attained is A = g*t since the last promotion.
func (q *queues) attained(v *sim.View, j sim.JobID) sim.Time {
	return v.Run(j).Service() - q.jobs[j].service0
}

// demote moves a job down past every bound that its service has reached.
func (q *queues) demote(v *sim.View, j sim.JobID) (moved bool) {
	a := q.attained(v, j)
	for p := &q.jobs[j]; p.queue < len(q.bounds) && a >= q.bounds[p.queue]; p.queue++ {
		moved = true
	}
	return moved
}

// watch asks for an event at the instant of the next demotion: when A reaches the bound, that
// is bound/g of running time after the last promotion. The kernel forgets it with the GPUs.
func (q *queues) watch(j sim.JobID, out []sim.Decision) []sim.Decision {
	if q.last(j) {
		return out
	}
	p := &q.jobs[j]
	return append(out, sim.Decision{Kind: sim.Watch, Job: j, Counter: sim.Service, Bound: p.service0 +
		q.bounds[p.queue]})
}

// waits notes that a job has begun to wait now: it is promoted when it has waited knob*t.
func (q *queues) waits(v *sim.View, j sim.JobID) {
	p := &q.jobs[j]
	if q.knob == 0 || p.queue == 0 {
		return
	}
	d := math.Ceil(float64(q.knob * float64(v.Run(j).Time()-p.run0)))
	if d < float64(math.MaxInt64/4) {
		q.due.Set(j, v.Now()+max(1, sim.Time(d)))
	}
}

// starts notes that a job holds GPUs again.
func (q *queues) starts(j sim.JobID) { q.due.Drop(j) }

// next is the instant at which the first job is due; Never when none is.
func (q *queues) next() sim.Time {
	if _, at, ok := q.due.First(); ok {
		return at
	}
	return sim.Never
}

// promote moves the first job that is due to queue 0 and zeroes its service and its wait, so
// that it is not demoted at once. It gives NoJob when none is due.
func (q *queues) promote(v *sim.View) sim.JobID {
	j, at, ok := q.due.First()
	if !ok || at > v.Now() {
		return sim.NoJob
	}
	q.due.Drop(j)
	q.jobs[j] = place{service0: v.Run(j).Service(), run0: v.Run(j).Time()}
	return j
}
