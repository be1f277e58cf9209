package bsbf

import (
	"tarry/sim"
	"tarry/sim/plan"
)

// asks is what the speed of a job and its place are taken to depend on, beside the GPUs.
type asks struct {
	model, typ            string
	gpus, share, cpu, mem int32
	batch, mib            int32
	util                  float64
}

// kind is the jobs that ask for the same. Where the first waiting one cannot start no other
// can: the pair test is harder for longer jobs.
type kind struct {
	asks
	index  int32
	demand plan.Demand // of whole GPUs
	heap   plan.Heap[float64, sim.JobID]
	closed bool
}

// queue is the waiting jobs by kind, the shortest first.
type queue struct {
	kinds   []*kind
	index   map[asks]int32
	of      []int32 // job -> kind
	waits   []bool
	pos     []int32
	waiting int
}

// follow adds the jobs that began to wait at this instant.
func (q *queue) follow(v *sim.View, c *config) {
	if q.index == nil {
		q.index = map[asks]int32{}
		q.of, q.waits, q.pos = make([]int32, v.NumJobs()), make([]bool, v.NumJobs()), make([]int32, v.NumJobs())
	}
	for _, ev := range v.Events() {
		if j := ev.Job; j != sim.NoJob && ev.Kind != sim.Finish && v.Run(j).State() == sim.Waiting && !q.waits[j] {
			q.add(v, c, j)
		}
	}
}

func (q *queue) add(v *sim.View, c *config, j sim.JobID) {
	k := q.kindOf(v, j)
	key := c.left(v, j)
	if !c.gpuTime {
		key /= v.Job(j).Width()
	}
	k.heap.Set(j, key)
	q.waits[j] = true
	q.waiting++
}

func (q *queue) remove(k *kind, j sim.JobID) {
	k.heap.Drop(j)
	q.waits[j] = false
	q.waiting--
}

// kindOf notes the kind of a job that waits.
func (q *queue) kindOf(v *sim.View, j sim.JobID) *kind {
	a := v.Job(j).Public()
	key := asks{model: a.Model, typ: a.GPUType, gpus: int32(v.Job(j).GPUs()), share: a.ShareMilli, cpu: a.CPUMilli,
		mem: a.MemMiB, batch: a.BatchSize, mib: v.Job(j).GPUMiB(), util: v.Job(j).GPUUtilFrac()}
	if key.share == 0 {
		key.share = whole
	}
	i, ok := q.index[key]
	if !ok {
		i = int32(len(q.kinds))
		k := &kind{asks: key, index: i, heap: plan.NewHeap[float64, sim.JobID](q.pos)}
		k.demand = plan.Demand{GPUs: key.gpus, Type: key.typ, ShareMilli: whole, CPUMilli: key.cpu, MemMiB: key.mem}
		q.kinds = append(q.kinds, k)
		q.index[key] = i
	}
	q.of[j] = i
	return q.kinds[i]
}

// open makes every kind a candidate again.
func (q *queue) open() {
	for _, k := range q.kinds {
		k.closed = false
	}
}

// best is the open kind whose first job goes next, nil when there is none.
func (q *queue) best() *kind {
	var best *kind
	var first sim.JobID
	var least float64
	for _, k := range q.kinds {
		if k.closed {
			continue
		}
		if j, key, ok := k.heap.First(); ok && (best == nil || key < least || key == least && j < first) {
			best, first, least = k, j, key
		}
	}
	return best
}
