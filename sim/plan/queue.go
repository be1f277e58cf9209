package plan

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Demand is what decides whether a waiting job can be placed now. Jobs of one demand are
// interchangeable for placement.
type Demand struct {
	// GPUs is the gang; a job that asks for more than the cluster has, and may run on fewer, asks
	// for what there is.
	GPUs int32
	// Type is the GPU type asked for, "" for any.
	Type string
	// ShareMilli is the part of each GPU in thousandths, 1..1000.
	ShareMilli int32
	// CPUMilli and MemMiB are asked per GPU; 0 = not constrained.
	CPUMilli, MemMiB int32
}

// Milli is the demand in thousandths of a GPU.
func (d *Demand) Milli() int64 { return int64(d.GPUs) * int64(d.ShareMilli) }

// PerGPU is what the demand asks along with each of its GPUs.
func (d *Demand) PerGPU() cluster.PerGPU {
	return cluster.PerGPU{Type: d.Type, CPUMilli: d.CPUMilli, MemMiB: d.MemMiB}
}

// hosted reports whether the demand concerns a machine's CPU or memory.
func (d *Demand) hosted() bool { return d.CPUMilli > 0 || d.MemMiB > 0 }

// class is the waiting jobs of a demand. As long as each comes behind or before all others and the
// first leaves, they are a chain from first to last, linked to the right; what looks for more than
// the first makes a tree of them, and it stays one until the last job has left.
type class struct {
	Demand
	root, first, last int32 // root is none while they are a chain
	closed            uint32
}

// Key ranks a job: smaller goes first, ties by JobID, that is by (submit, id). The key of a
// waiting job must not change while it waits.
type Key func(v *sim.View, j sim.JobID) float64

// Queue indexes waiting jobs by demand and, within a demand, by (key, JobID). Adding and
// removing cost the logarithm of the jobs of that demand; a query adds the number of
// different demands. The zero value is an empty queue. It belongs to one run.
type Queue struct {
	nodes   forest
	classes []class
	index   map[Demand]int32
	round   uint32
	shut    uint32 // the last round in which a demand was closed
	head    int32  // the first job of all, where headed
	headed  bool
	n       int
	order   []int32 // scratch: jobs in order
	sharing bool    // a demand below a whole GPU was seen
	hosted  bool    // a demand for CPU or memory was seen
}

// Len is the number of jobs in the queue.
func (q *Queue) Len() int { return q.n }

// Sharing reports whether any job so far asked for part of a GPU.
func (q *Queue) Sharing() bool { return q.sharing }

// Has reports whether a job is in the queue.
func (q *Queue) Has(j sim.JobID) bool { return int(j) < len(q.nodes) && q.nodes[j].in }

// Key is the key that a job was added with.
func (q *Queue) Key(j sim.JobID) float64 { return q.nodes[j].key }

// Demand is the demand of a job that is or was in the queue. It must not be changed.
func (q *Queue) Demand(j sim.JobID) *Demand { return &q.classes[q.nodes[j].class].Demand }

// Follow adds the jobs that began to wait at this instant: arrivals, drained jobs and jobs
// stopped by a fault. weight may be nil; see Within.
func (q *Queue) Follow(v *sim.View, key, weight Key) {
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive, sim.Drained, sim.OutOfMemory, sim.Fail:
			if ev.Job == sim.NoJob || v.Run(ev.Job).State() != sim.Waiting || q.Has(ev.Job) {
				continue
			}
			w := 0.0
			if weight != nil {
				w = weight(v, ev.Job)
			}
			q.Add(v, ev.Job, key(v, ev.Job), w)
		}
	}
}

// Add puts a job in the queue; it must not be in it. weight is the measure that Within bounds.
func (q *Queue) Add(v *sim.View, j sim.JobID, key, weight float64) {
	if len(q.nodes) < v.NumJobs() {
		q.grow(v.NumJobs())
	}
	n := &q.nodes[j]
	if n.class == none {
		n.class = q.classOf(v, j)
	}
	n.key, n.weight = key, weight
	q.readd(j)
}

// readd puts a job back with the key and weight that it had.
func (q *Queue) readd(j sim.JobID) {
	n := &q.nodes[j]
	n.in = true
	c := &q.classes[n.class]
	q.n++
	if q.headed && (q.head == none || q.nodes.before(int32(j), q.head)) {
		q.head = int32(j)
	}
	switch at := int32(j); {
	case c.first == none:
		c.first, c.last, n.right = at, at, none
	case c.root == none && q.nodes.before(c.last, at):
		q.nodes[c.last].right = at
		c.last, n.right = at, none
	case c.root == none && q.nodes.before(at, c.first):
		c.first, n.right = at, c.first
	default:
		c.root = q.nodes.insert(q.tree(c), at)
		if q.nodes.before(at, c.first) {
			c.first = at
		}
	}
}

// tree gives the root of a class's tree, which it makes of a chain.
func (q *Queue) tree(c *class) int32 {
	if c.root == none && c.first != none {
		c.root, q.order = q.nodes.plant(c.first, q.order)
	}
	return c.root
}

// Rekey gives all jobs their keys anew, at the cost of a sort.
func (q *Queue) Rekey(key func(j sim.JobID) float64) {
	q.headed = false
	for i := range q.classes {
		c := &q.classes[i]
		q.order = q.order[:0]
		if c.root != none {
			q.order = q.nodes.list(q.order, c.root)
		} else {
			for j := c.first; j != none; j = q.nodes[j].right {
				q.order = append(q.order, j)
			}
		}
		moved := false
		for _, j := range q.order {
			if k := key(sim.JobID(j)); k != q.nodes[j].key {
				q.nodes[j].key, moved = k, true
			}
		}
		if moved {
			q.chain(c, q.order)
		}
	}
}

// chain sorts the jobs of a class by their keys and links them.
func (q *Queue) chain(c *class, jobs []int32) {
	slices.SortFunc(jobs, func(a, b int32) int {
		if q.nodes.before(a, b) {
			return -1
		}
		return 1
	})
	next := none
	for i := len(jobs) - 1; i >= 0; i-- {
		q.nodes[jobs[i]].right, next = next, jobs[i]
	}
	c.root, c.first, c.last = none, jobs[0], jobs[len(jobs)-1]
}

func (q *Queue) grow(n int) {
	was := len(q.nodes)
	q.nodes = slices.Grow(q.nodes, n-was)[:n]
	for i := was; i < n; i++ {
		q.nodes[i] = node{class: none}
	}
}

// fewClasses is how many demands are compared before the index is asked.
const fewClasses = 8

func (q *Queue) classOf(v *sim.View, j sim.JobID) int32 {
	job := v.Job(j)
	a := job.PerGPU()
	d := Demand{GPUs: int32(job.GPUs()), Type: a.Type, ShareMilli: job.ShareMilli(), CPUMilli: a.CPUMilli,
		MemMiB: a.MemMiB}
	if d.ShareMilli == 0 {
		d.ShareMilli = 1000
	}
	for i := range q.classes[:min(len(q.classes), fewClasses)] {
		if q.classes[i].Demand == d {
			return int32(i)
		}
	}
	c, ok := q.index[d]
	if !ok {
		if q.index == nil {
			q.index = map[Demand]int32{}
		}
		c = int32(len(q.classes))
		q.index[d] = c
		q.classes = append(q.classes, class{Demand: d, root: none, first: none, last: none})
		q.sharing = q.sharing || d.ShareMilli < 1000
		q.hosted = q.hosted || d.hosted()
	}
	return c
}

// Remove takes a job out of the queue; it must be in it.
func (q *Queue) Remove(j sim.JobID) {
	n := &q.nodes[j]
	c := &q.classes[n.class]
	n.in = false
	q.n--
	q.headed = q.headed && q.head != int32(j)
	if c.root == none && c.first == int32(j) {
		c.first = n.right
		return
	}
	c.root = q.nodes.remove(q.tree(c), int32(j))
	if c.first == int32(j) {
		c.first = q.nodes.first(c.root)
	}
}

// Open makes every demand a candidate again. Call it at the start of a decision.
func (q *Queue) Open() { q.round++ }

// Close passes over every job with j's demand until the next Open: as long as GPUs are only
// given out, what does not fit now does not fit later.
func (q *Queue) Close(j sim.JobID) { q.classes[q.nodes[j].class].closed, q.shut = q.round, q.round }

// Closed reports whether j's demand, which was noted, is passed over since the last Open.
func (q *Queue) Closed(j sim.JobID) bool {
	return q.round > 0 && q.classes[q.nodes[j].class].closed == q.round
}

// Best is the first job of the open demands, NoJob when there is none.
func (q *Queue) Best() sim.JobID {
	all := q.shut != q.round || q.round == 0
	if all && q.headed {
		return sim.JobID(q.head)
	}
	best := none
	for i := range q.classes {
		c := &q.classes[i]
		if c.first == none || c.closed == q.round && q.round > 0 {
			continue
		}
		if best == none || q.nodes.before(c.first, best) {
			best = c.first
		}
	}
	if all {
		q.head, q.headed = best, true
	}
	return sim.JobID(best)
}

// Within is the first job of the open demands whose weight is at most what bound gives for
// its demand: +Inf accepts every job, -Inf none. NoJob when there is none.
func (q *Queue) Within(bound func(d *Demand) float64) sim.JobID {
	best := none
	for i := range q.classes {
		c := &q.classes[i]
		if c.first == none || c.closed == q.round && q.round > 0 {
			continue
		}
		j := c.first
		if b := bound(&c.Demand); !math.IsInf(b, 1) {
			j = q.nodes.within(q.tree(c), b)
		}
		if j != none && (best == none || q.nodes.before(j, best)) {
			best = j
		}
	}
	return sim.JobID(best)
}
