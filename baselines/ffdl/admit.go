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
	free  int64 // of it by the free tier
	lines []line
}

// line holds the jobs of one tenant by arrival, or all of them without quotas.
type line struct {
	tenant int32
	low    bool // of negative priority
	jobs   []sim.JobID
	head   int
}

// drop removes the first job.
func (l *line) drop() {
	if l.head++; 2*l.head > len(l.jobs) {
		l.jobs = slices.Delete(l.jobs, 0, l.head)
		l.head = 0
	}
}

// join puts a job into its line, where its arrival puts it.
func (p *Policy) join(j sim.JobID) {
	x := &p.jobs[j]
	q := &p.queues[x.queue]
	i := slices.IndexFunc(q.lines, func(l line) bool { return l.tenant == x.tenant && l.low == x.low })
	if i < 0 {
		i = len(q.lines)
		q.lines = append(q.lines, line{tenant: x.tenant, low: x.low})
	}
	l := &q.lines[i]
	at, _ := slices.BinarySearch(l.jobs[l.head:], j)
	l.jobs = slices.Insert(l.jobs, l.head+at, j)
}

// next is the line of the job that is admitted next, the first by arrival of those within quotas if
// there are any, -1 if none waits.
func (p *Policy) next(q *queue) int {
	best, free, j := -1, true, sim.NoJob
	for i := range q.lines {
		l := &q.lines[i]
		if l.head == len(l.jobs) {
			continue
		}
		if f := p.above(l.jobs[l.head]); best < 0 || free && !f || f == free && l.jobs[l.head] < j {
			best, free, j = i, f, l.jobs[l.head]
		}
	}
	return best
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

// limited reports whether a job must wait for its type's limit. It need not while no job is
// admitted. The free tier does not count for others: it gives way.
func (p *Policy) limited(j sim.JobID) bool {
	x := &p.jobs[j]
	q := &p.queues[x.queue]
	if p.above(j) {
		return q.limit > 0 && p.active > 0 && q.used+int64(x.gpus) > q.limit
	}
	return q.limit > 0 && p.active > len(p.frees) && q.used-q.free+int64(x.gpus) > q.limit
}

// arrive admits a job, or queues it.
func (p *Policy) arrive(v *sim.View, j sim.JobID) {
	if n := v.NumJobs(); len(p.jobs) < n {
		p.jobs = append(p.jobs, make([]job, n-len(p.jobs))...)
	}
	x := &p.jobs[j]
	x.queue = p.queueOf(v, v.Job(j).GPUType())
	x.shape = p.shapeOf(v, j)
	x.gpus = p.shapes[x.shape].GPUs
	p.belong(v, j)
	q := &p.queues[x.queue]
	if i := p.next(q); (i < 0 || !p.above(j) && p.above(q.lines[i].jobs[q.lines[i].head])) && !p.limited(j) {
		p.admit(v, j)
		return
	}
	p.join(j)
}

// admit hands a job over to placement.
func (p *Policy) admit(v *sim.View, j sim.JobID) {
	x := &p.jobs[j]
	p.queues[x.queue].used += int64(x.gpus)
	p.active++
	if p.cfg.quota {
		p.enlist(v, j)
	}
	p.shapes[x.shape].add(j)
}

// poll looks at the heads of the queues, if it is time.
func (p *Policy) poll(v *sim.View) {
	if p.cfg.poll > 0 && v.Now()%p.cfg.poll != 0 {
		return
	}
	for i := range p.queues {
		q := &p.queues[i]
		for n := p.next(q); n >= 0; n = p.next(q) {
			l := &q.lines[n]
			j := l.jobs[l.head]
			if p.limited(j) {
				break
			}
			l.drop()
			p.admit(v, j)
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
		q := &p.queues[i]
		if p.cfg.poll == 0 {
			break
		}
		if n := p.next(q); n >= 0 && !p.limited(q.lines[n].jobs[q.lines[n].head]) {
			next = v.Now() - v.Now()%p.cfg.poll + p.cfg.poll
		}
	}
	return p.polls.Set(v.Now(), next, out)
}
