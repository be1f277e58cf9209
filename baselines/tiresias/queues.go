package tiresias

import (
	"math"

	"tarry/sim"
	"tarry/sim/plan"
)

// Queues keeps, for every job, the queue it is in and when it is due for promotion.
type Queues struct {
	// Bounds[i] is the service, in GPU-microseconds since the last promotion, at which a job leaves
	// queue i.
	Bounds []sim.Time
	// knob is PROMOTEKNOB; 0 = no promotion.
	knob float64
	jobs []Place
	due  plan.Heap[sim.Time, sim.JobID] // by the instant of promotion
}

// Place is where a job stands.
type Place struct {
	// Queue is the number of its queue, from 0.
	Queue int
	// Service0 is its service in GPU-microseconds at its last promotion.
	Service0 sim.Time
	run0     sim.Time // its running time then
}

// Of is where a job stands.
func (q *Queues) Of(j sim.JobID) *Place { return &q.jobs[j] }

// last reports whether a job is in the last queue, which it leaves by promotion alone.
func (q *Queues) last(j sim.JobID) bool { return q.jobs[j].Queue == len(q.Bounds) }

// attained is A = g*t since the last promotion.
func (q *Queues) attained(v *sim.View, j sim.JobID) sim.Time {
	return v.Run(j).Service() - q.jobs[j].Service0
}

// demote moves a job down past every bound that its service has reached.
func (q *Queues) demote(v *sim.View, j sim.JobID) (moved bool) {
	a := q.attained(v, j)
	for p := &q.jobs[j]; p.Queue < len(q.Bounds) && a >= q.Bounds[p.Queue]; p.Queue++ {
		moved = true
	}
	return moved
}

// watch asks for an event at the instant of the next demotion: when A reaches the bound, that
// is bound/g of running time after the last promotion. The kernel forgets it with the GPUs.
func (q *Queues) watch(j sim.JobID, out []sim.Decision) []sim.Decision {
	if q.last(j) {
		return out
	}
	p := &q.jobs[j]
	return append(out, sim.Decision{Kind: sim.Watch, Job: j, Counter: sim.Service, Bound: p.Service0 +
		q.Bounds[p.Queue]})
}

// Waits notes that a job has begun to wait now: it is promoted when it has waited knob*t.
func (q *Queues) Waits(v *sim.View, j sim.JobID) {
	p := &q.jobs[j]
	if q.knob == 0 || p.Queue == 0 {
		return
	}
	d := math.Ceil(float64(q.knob * float64(v.Run(j).Time()-p.run0)))
	if d < float64(math.MaxInt64/4) {
		q.due.Set(j, v.Now()+max(1, sim.Time(d)))
	}
}

// starts notes that a job holds GPUs again.
func (q *Queues) starts(j sim.JobID) { q.due.Drop(j) }

// Next is the instant at which the first job is due; Never when none is.
func (q *Queues) Next() sim.Time {
	if _, at, ok := q.due.First(); ok {
		return at
	}
	return sim.Never
}

// Promote moves the first job that is due to queue 0 and zeroes its service and its wait, so
// that it is not demoted at once. It gives NoJob when none is due.
func (q *Queues) Promote(v *sim.View) sim.JobID {
	j, at, ok := q.due.First()
	if !ok || at > v.Now() {
		return sim.NoJob
	}
	q.due.Drop(j)
	q.jobs[j] = Place{Service0: v.Run(j).Service(), run0: v.Run(j).Time()}
	return j
}
