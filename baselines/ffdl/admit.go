package ffdl

import (
	"slices"

	"tarry/sim"
)

// untyped names the queue of jobs that ask for no GPU type.
const untyped = "any"

// queue holds the jobs of a GPU type that are not admitted yet.
type queue struct {
	name  string
	limit int64 // GPUs of admitted jobs; 0 = none
	used  int64
	jobs  []sim.JobID
	head  int
}

// queueOf is the queue of a type; it is made at the first job.
func (p *Policy) queueOf(v *sim.View, typ string) int32 {
	name := typ
	if typ == "" {
		name = untyped
	}
	for i := range p.queues {
		if p.queues[i].name == name {
			return int32(i)
		}
	}
	q := queue{name: name}
	switch c := &p.cfg; {
	case c.unlimited:
	case c.limits == nil:
		q.limit = int64(v.Topology().OfType(typ))
	default:
		q.limit = int64(c.limits[name])
	}
	p.queues = append(p.queues, q)
	return int32(len(p.queues) - 1)
}

// limited reports whether a job must wait for its type's limit. It need not while no job is admitted.
func (p *Policy) limited(j sim.JobID) bool {
	x := &p.jobs[j]
	q := &p.queues[x.queue]
	return q.limit > 0 && p.active > 0 && q.used+int64(x.gpus) > q.limit
}

// arrive admits a job, or queues it.
func (p *Policy) arrive(v *sim.View, j sim.JobID) {
	if n := v.NumJobs(); len(p.jobs) < n {
		p.jobs = append(p.jobs, make([]job, n-len(p.jobs))...)
	}
	x := &p.jobs[j]
	x.queue = p.queueOf(v, v.GPUType(j))
	x.shape = p.shapeOf(v, j)
	x.gpus = p.shapes[x.shape].GPUs
	q := &p.queues[x.queue]
	if q.head == len(q.jobs) && !p.limited(j) {
		p.admit(j)
		return
	}
	q.jobs = append(q.jobs, j)
}

// admit hands a job over to placement.
func (p *Policy) admit(j sim.JobID) {
	x := &p.jobs[j]
	p.queues[x.queue].used += int64(x.gpus)
	p.active++
	p.shapes[x.shape].add(j)
}

// poll looks at the heads of the queues, if it is time.
func (p *Policy) poll(v *sim.View) {
	if p.cfg.poll > 0 && v.Now()%p.cfg.poll != 0 {
		return
	}
	for i := range p.queues {
		q := &p.queues[i]
		for q.head < len(q.jobs) && !p.limited(q.jobs[q.head]) {
			p.admit(q.jobs[q.head])
			if q.head++; 2*q.head > len(q.jobs) {
				q.jobs = slices.Delete(q.jobs, 0, q.head)
				q.head = 0
			}
			if p.cfg.poll > 0 { // one at a time
				break
			}
		}
	}
}

// alarm asks to be woken at the next poll if it can admit a job: nothing else changes at a poll.
func (p *Policy) alarm(v *sim.View, out []sim.Decision) []sim.Decision {
	next := sim.Never
	for i := range p.queues {
		if q := &p.queues[i]; p.cfg.poll > 0 && q.head < len(q.jobs) && !p.limited(q.jobs[q.head]) {
			next = v.Now() - v.Now()%p.cfg.poll + p.cfg.poll
		}
	}
	if p.wake <= v.Now() { // it has fired
		p.wake = sim.Never
	}
	if next != p.wake {
		out = append(out, sim.Decision{Kind: sim.WakeAt, At: next})
		p.wake = next
	}
	return out
}
