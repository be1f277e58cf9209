package allocate

import (
	"math"
	"slices"
)

// order gives jobs in ascending order of a key, as far as it is asked for; ties keep the order of
// the list. Rules stop when no GPU is left, most often long before the last job, so it is a heap,
// and nothing but a look where the list is in order already.
type order struct {
	heap  []keyed
	given []int32 // the jobs so far, or all where the list is in order
	all   int     // jobs
	plain bool    // the list is in order: given[i] = i
}

// keyed is a job with its key.
type keyed struct {
	queue int32
	job   int32
	key   float64
}

func (x *keyed) before(y *keyed) bool {
	switch {
	case x.queue != y.queue:
		return x.queue < y.queue
	case x.key != y.key:
		return x.key < y.key
	}
	return x.job < y.job
}

func (o *order) open(jobs []Job, key func(j *Job) (queue int, key float64)) {
	o.all = len(jobs)
	if o.sorted(jobs, key) {
		return
	}
	o.plain, o.given = false, o.given[:0]
	o.heap = slices.Grow(o.heap[:0], len(jobs))[:len(jobs)]
	for i := range jobs {
		q, k := key(&jobs[i])
		o.heap[i] = keyed{int32(q), int32(i), k}
	}
	for i := len(o.heap)/2 - 1; i >= 0; i-- {
		o.down(i)
	}
}

// sorted looks whether the list is in order.
func (o *order) sorted(jobs []Job, key func(j *Job) (queue int, key float64)) bool {
	queue, last := math.MinInt, math.Inf(-1)
	for i := range jobs {
		q, k := key(&jobs[i])
		if q < queue || q == queue && k < last {
			return false
		}
		queue, last = q, k
	}
	o.asIs(len(jobs))
	return true
}

// asIs takes the list for the order.
func (o *order) asIs(n int) {
	if !o.plain {
		o.given = o.given[:0]
	}
	o.all, o.plain = n, true
	for i := len(o.given); i < n; i++ {
		o.given = append(o.given, int32(i))
	}
}

// ranked takes a list of the jobs in order, if there is one.
func (o *order) ranked(jobs []int32) bool {
	if jobs == nil {
		return false
	}
	o.given = append(o.given[:0], jobs...)
	o.all, o.plain = len(jobs), false
	return true
}

// at is the n-th job, and ok is false beyond the last. Jobs are asked for one after the other.
func (o *order) at(n int) (job int32, ok bool) {
	switch {
	case n >= o.all:
		return 0, false
	case n >= len(o.given):
		o.given = append(o.given, o.heap[0].job)
		last := len(o.heap) - 1
		o.heap[0] = o.heap[last]
		o.heap = o.heap[:last]
		o.down(0)
	}
	return o.given[n], true
}

// first lists the first n jobs. It must not be changed.
func (o *order) first(n int) []int32 {
	for i := len(o.given); i < n; i++ {
		o.at(i)
	}
	return o.given[:n]
}

func (o *order) down(i int) {
	for {
		c := 2*i + 1
		if c >= len(o.heap) {
			return
		}
		if c+1 < len(o.heap) && o.heap[c+1].before(&o.heap[c]) {
			c++
		}
		if !o.heap[c].before(&o.heap[i]) {
			return
		}
		o.heap[i], o.heap[c] = o.heap[c], o.heap[i]
		i = c
	}
}
