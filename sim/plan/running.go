package plan

import (
	"math"
	"slices"

	"tarry/sim"
)

// running indexes running jobs by the bounds of their keys, so that the last in order are found
// without a look at the others: the jobs of one slope are in a heap, and a job whose bound is above
// the key of the last is asked for its key.
type running struct {
	slopes []int32
	heaps  []Heap[float64, sim.JobID] // by slope: jobs, mirrored, by -(bound at instant 0)
	pos    []int32                    // of all heaps
	group  []int32                    // by job: 1 + its index in slopes; 0 = not indexed
	due    Heap[sim.Time, sim.JobID]  // jobs by the instants at which their bounds end
	tight  []uint8                    // by job: how close bounds shall be
	fresh  []sim.JobID                // started since the last decision
	milli  int64                      // thousandths of GPUs of all in it

	// At one instant: jobs from the last in order on, as far as they were asked for; before[i] are the
	// thousandths of list[:i]. seen are asked for and not yet in list, ascending.
	list   []ranked
	before []int64
	seen   []ranked
}

// follow takes in what started and drops what runs no more.
func (x *running) follow(v *sim.View, b *Rebuild, q *Queue) {
	if n := v.NumJobs(); len(x.group) < n {
		x.group, x.pos, x.tight = make([]int32, n), make([]int32, n), make([]uint8, n)
		x.due = NewHeap[sim.Time, sim.JobID](make([]int32, n))
	}
	for _, ev := range v.Events() {
		switch j := ev.Job; {
		case j == sim.NoJob || x.group[j] == 0:
		case v.Run(j).State() != sim.Running:
			x.drop(q, j)
		case ev.Kind == sim.Cross:
			x.set(v, b, j, b.Key(v, j))
		}
	}
	for _, j := range x.fresh {
		if v.Run(j).State() == sim.Running && x.group[j] == 0 {
			x.tight[j] = 0
			x.milli += q.Demand(j).Milli()
			x.set(v, b, j, b.Key(v, j))
		}
	}
	x.fresh = x.fresh[:0]
}

// renew asks anew for the bounds that have ended.
func (x *running) renew(v *sim.View, b *Rebuild) {
	for {
		j, at, ok := x.due.First()
		if !ok || at > v.Now() {
			return
		}
		x.tight[j] -= min(x.tight[j], 1)
		x.set(v, b, j, b.Key(v, j))
	}
}

// set notes the bound of a job from now on.
func (x *running) set(v *sim.View, b *Rebuild, j sim.JobID, key float64) {
	most, slope, until := key, int32(0), sim.Never
	if !b.Falls {
		most, slope, until = b.Bound(v, j, key, x.tight[j])
	}
	i := slices.Index(x.slopes, slope)
	if i < 0 {
		i = len(x.slopes)
		x.slopes = append(x.slopes, slope)
		x.heaps = append(x.heaps, NewHeap[float64, sim.JobID](x.pos))
	}
	if was := int(x.group[j]) - 1; was >= 0 && was != i {
		x.heaps[was].Drop(x.mirror(j))
	}
	x.group[j] = int32(i + 1)
	x.heaps[i].Set(x.mirror(j), -(most - float64(float64(slope)*float64(v.Now()))))
	if until < sim.Never {
		x.due.Set(j, until)
	} else {
		x.due.Drop(j)
	}
}

// drop takes a job out.
func (x *running) drop(q *Queue, j sim.JobID) {
	x.heaps[x.group[j]-1].Drop(x.mirror(j))
	x.due.Drop(j)
	x.group[j] = 0
	x.milli -= q.Demand(j).Milli()
}

// mirror counts jobs from the last, so that a heap has the last of equals first; it is its own
// inverse.
func (x *running) mirror(j sim.JobID) sim.JobID { return sim.JobID(len(x.group)-1) - j }

// most is a bound of all jobs that were not asked for, with the job that has it, and the heap of that;
// -1 without one.
func (x *running) most(now sim.Time) (bound ranked, heap int) {
	heap = -1
	for i := range x.heaps {
		j, key, ok := x.heaps[i].First()
		if !ok {
			continue
		}
		at := ranked{key: -key, job: x.mirror(j)}
		if s := x.slopes[i]; s != 0 {
			moved := float64(float64(s) * float64(now))
			at.key += moved + float64(rounding*(math.Abs(key)+math.Abs(moved)))
		}
		if heap < 0 || less(bound, at) {
			bound, heap = at, i
		}
	}
	return bound, heap
}

// rounding is more than what a sum of two numbers and a product lose.
const rounding = 1.0 / (1 << 50)

// reach extends the list until it has all jobs behind one in the order, or so many thousandths of
// GPUs.
func (x *running) reach(v *sim.View, b *Rebuild, q *Queue, behind ranked, need int64) {
	for x.before[len(x.list)] < need {
		bound, heap := x.most(v.Now())
		for n := len(x.seen); heap >= 0 && less(behind, bound) && (n == 0 || less(x.seen[n-1], bound)); n = len(x.seen) {
			x.heaps[heap].Drop(x.mirror(bound.job))
			r := ranked{key: b.Key(v, bound.job), job: bound.job}
			at, _ := slices.BinarySearchFunc(x.seen, r, order)
			x.seen = slices.Insert(x.seen, at, r)
			bound, heap = x.most(v.Now())
		}
		n := len(x.seen)
		if n == 0 || !less(behind, x.seen[n-1]) {
			return
		}
		x.list = append(x.list, x.seen[n-1])
		x.before = append(x.before, x.before[len(x.before)-1]+q.Demand(x.seen[n-1].job).Milli())
		x.seen = x.seen[:n-1]
	}
}

func order(a, b ranked) int {
	switch {
	case less(a, b):
		return -1
	case less(b, a):
		return 1
	}
	return 0
}

// open begins a list.
func (x *running) open() {
	x.list, x.seen, x.before = x.list[:0], x.seen[:0], append(x.before[:0], 0)
}

// close puts the jobs that were asked for back, except the jobs that lose their GPUs.
func (x *running) close(v *sim.View, b *Rebuild, q *Queue, lost []ranked) {
	for _, r := range lost {
		x.drop(q, r.job)
	}
	for _, r := range x.list {
		if x.group[r.job] > 0 {
			x.set(v, b, r.job, r.key)
		}
	}
	for _, r := range x.seen { // their bounds were above their keys
		x.tight[r.job] = min(x.tight[r.job]+1, 255)
		x.set(v, b, r.job, r.key)
	}
	x.open()
}

func (x *running) clone() running {
	c := *x
	c.slopes, c.group, c.tight, c.fresh = slices.Clone(x.slopes), slices.Clone(x.group), slices.Clone(x.tight),
		slices.Clone(x.fresh)
	c.heaps, c.pos = slices.Clone(x.heaps), slices.Clone(x.pos)
	for i := range c.heaps {
		c.heaps[i] = x.heaps[i].Clone(c.pos)
	}
	c.due = x.due.Clone(nil)
	c.list, c.before, c.seen = nil, nil, nil
	return c
}
