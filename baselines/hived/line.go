package hived

import (
	"slices"

	"tarry/sim"
)

// class is waiting jobs of one demand, in order.
type class struct {
	demand
	jobs []entry
	// tries are the ways into the cells of the virtual cluster, loose those onto idle GPUs.
	tries, loose []try
	// shut: none of them is met as things are; shutLoose the same of idle GPUs.
	shut, shutLoose bool
}

// entry is a waiting job. A smaller key goes first, then the smaller ID, which is the earlier job.
type entry struct {
	key int32
	job sim.JobID
}

func compare(a, b entry) int {
	if a.key != b.key {
		return int(a.key) - int(b.key)
	}
	return int(a.job) - int(b.job)
}

// line is what waits in a virtual cluster, or (opportunistic jobs) in all of them.
type line struct {
	vc      string
	classes []class
	index   map[demand]int32
	n       int
	// dirty: cells have come free since all classes were looked at.
	dirty bool
}

// add puts a job into its class. A job that is first there makes its class worth a look.
func (l *line) add(c int32, e entry) {
	k := &l.classes[c]
	i, _ := slices.BinarySearchFunc(k.jobs, e, compare)
	k.jobs = slices.Insert(k.jobs, i, e)
	l.n++
	if i == 0 {
		k.shut, k.shutLoose = false, false
	}
}

// drop takes a job out of its class, where it was first; jobs that were stopped for it may stand
// before it now.
func (l *line) drop(c int32, j sim.JobID) {
	k := &l.classes[c]
	i := slices.IndexFunc(k.jobs, func(e entry) bool { return e.job == j })
	k.jobs = slices.Delete(k.jobs, i, i+1)
	l.n--
}

// first is the class of the job that goes first, among open ones; -1 = there is none.
func (l *line) first(open func(c *class) bool) int32 {
	best := int32(-1)
	for i := range l.classes {
		c := &l.classes[i]
		if len(c.jobs) > 0 && open(c) && (best < 0 || compare(c.jobs[0], l.classes[best].jobs[0]) < 0) {
			best = int32(i)
		}
	}
	return best
}

// reopen makes every class worth a look.
func (l *line) reopen() {
	for i := range l.classes {
		l.classes[i].shut = false
	}
}

// clone gives an independent copy.
func (l *line) clone() line {
	c := *l
	c.classes = slices.Clone(l.classes)
	for i := range c.classes {
		c.classes[i].jobs = slices.Clone(c.classes[i].jobs)
	}
	c.index = make(map[demand]int32, len(l.index))
	for d, i := range l.index {
		c.index[d] = i
	}
	return c
}
