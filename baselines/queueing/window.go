package queueing

import (
	"slices"

	"tarry/sim"
)

// beyond holds the waiting jobs that have no reservation because depth others before them have one,
// in order of arrival.
type beyond struct {
	depth int // jobs with a reservation; 0 = all
	jobs  []sim.JobID
	head  int // jobs before it have left
}

// full reports whether n jobs are all that may have a reservation.
func (b *beyond) full(n int) bool { return b.depth > 0 && n >= b.depth }

// add lists a job, once.
func (b *beyond) add(j sim.JobID) {
	if b.head > len(b.jobs)/2 {
		b.jobs = slices.Delete(b.jobs, 0, b.head)
		b.head = 0
	}
	if i, found := slices.BinarySearch(b.jobs[b.head:], j); !found {
		b.jobs = slices.Insert(b.jobs, b.head+i, j)
	}
}

// next takes the first job out.
func (b *beyond) next() (sim.JobID, bool) {
	if b.head == len(b.jobs) {
		return sim.NoJob, false
	}
	b.head++
	return b.jobs[b.head-1], true
}

// clone gives an independent copy.
func (b *beyond) clone() beyond { return beyond{depth: b.depth, jobs: slices.Clone(b.jobs[b.head:])} }

// refill gives reservations to the next jobs in order of arrival in place of jobs that started,
// and reports whether there were any.
func (c *conservative) refill(v *sim.View) (any bool) {
	for !c.beyond.full(len(c.waiting)) {
		j, ok := c.beyond.next()
		if !ok {
			return any
		}
		c.list(v, len(c.waiting), j)
		c.reserve(&c.waiting[len(c.waiting)-1], v.Now())
		any = true
	}
	return any
}

// pushOut takes the last job that has a reservation out of the list; all reservations are to be made
// anew then.
func (c *conservative) pushOut() {
	last := len(c.waiting) - 1
	c.queue.Remove(c.waiting[last].job)
	c.beyond.add(c.waiting[last].job)
	c.waiting = c.waiting[:last]
}
