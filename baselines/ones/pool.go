package ones

import (
	"slices"

	"tarry/baselines/ones/evolve"
	"tarry/sim"
	"tarry/sim/cluster"
)

// pool is the GPUs of one type and the jobs that share them, in order of arrival.
type pool struct {
	typ    string // "" in a cluster without types
	total  int32
	asked  int32 // GPUs that its jobs ask for
	jobs   []*life
	search *evolve.Search
	slots  []cluster.GPU // what the search has to give, ascending
	named  int           // jobs at the last search

	present, target []int32
	desc            []evolve.Job
	has, wants      []int32 // counts now and in the target
	limits          []int32
}

// open looks at the cluster.
func (p *Policy) open(v *sim.View) {
	t := v.Topology()
	types := t.Types()
	for _, name := range types {
		if name != "" || len(types) == 1 { // in a cluster with types GPUs without one go to jobs apart
			p.pools = append(p.pools, pool{typ: name, total: int32(t.OfType(name)), search: evolve.New(p.cfg.search)})
		}
	}
	p.one, p.of = len(types) == 1, make([]int32, t.GPUs())
	p.at = slices.Repeat([]int32{nowhere}, v.NumJobs())
}

// Where a job is listed: the index of its pool, or
const (
	nowhere int32 = -1 - iota
	aside         // in Policy.apart
)

// join lists a job that has arrived.
func (p *Policy) join(v *sim.View, j sim.JobID) {
	a := v.Job(j).Public()
	i := p.choose(&a)
	if i < 0 {
		p.at[j] = aside
		p.apart = append(p.apart, j)
		return
	}
	q := &p.pools[i]
	l := p.life()
	l.reset(j)
	lo, hi := a.Range()
	l.unit = int32(v.Job(j).WorkerGPUs())
	l.lo, l.hi = lo, min(hi, q.total/l.unit*l.unit)
	l.asked = min(max(int32(v.Job(j).GPUs())/l.unit*l.unit, l.lo), l.hi)
	l.batches = v.Job(j).Batches()
	if l.own = float64(a.BatchSize); l.own == 0 {
		l.own = float64(l.batches.Initial)
	}
	if p.cfg.known {
		l.curve = p.curves.OfType(v, j, q.typ)
	}
	if l.limit = l.lo; p.cfg.asked {
		l.limit = l.asked
	}
	l.resume = l.limit
	p.at[j] = int32(i)
	q.jobs, q.asked = append(q.jobs, l), q.asked+l.asked
}

// choose gives the pool of a job, -1 for one that is served apart: the pool of its type, else that
// with the fewest GPUs asked of it, for its size.
func (p *Policy) choose(a *sim.Job) int {
	if a.ShareMilli > 0 && a.ShareMilli < 1000 || a.CPUMilli > 0 || a.MemMiB > 0 {
		return -1
	}
	best := -1
	lo, _ := a.Range()
	for i := range p.pools {
		q := &p.pools[i]
		if q.total < lo || !p.one && a.GPUType != "" && a.GPUType != q.typ {
			continue
		}
		if best < 0 || int64(q.asked)*int64(p.pools[best].total) < int64(p.pools[best].asked)*int64(q.total) {
			best = i
		}
	}
	return best
}

// leave forgets a job that has ended.
func (p *Policy) leave(v *sim.View, j sim.JobID) {
	at := p.at[j]
	p.at[j] = nowhere
	switch {
	case at == aside:
		i := slices.Index(p.apart, j)
		p.apart = slices.Delete(p.apart, i, i+1)
	case at >= 0:
		q := &p.pools[at]
		i := q.index(j)
		l := q.jobs[i]
		p.teach(v, l)
		q.asked -= l.asked
		q.jobs = slices.Delete(q.jobs, i, i+1)
		if l.memory != nil {
			p.memories = append(p.memories, l.memory)
		}
		p.unused = append(p.unused, l)
	}
}

// remember gives room for what is noted of a job that starts.
func (p *Policy) remember(l *life) {
	if len(p.memories) == 0 {
		const slab, few = 64, 4
		all, past, speeds := make([]memory, slab), make([]point, slab*points), make([]measured, slab*few)
		most := len(p.of) + 1
		score := make([]float64, slab*most)
		for i := range all {
			all[i] = memory{speeds[i*few : i*few : (i+1)*few], past[i*points : i*points : (i+1)*points],
				score[i*most : i*most : (i+1)*most]}
			p.memories = append(p.memories, &all[i])
		}
	}
	n := len(p.memories)
	l.memory, p.memories = p.memories[n-1], p.memories[:n-1]
	l.speeds, l.past, l.score = l.speeds[:0], l.past[:0], slices.Grow(l.score[:0], int(l.hi)+1)
}

// index is where a job stands in its pool: jobs arrive in the order of their ids.
func (q *pool) index(j sim.JobID) int {
	i, _ := slices.BinarySearchFunc(q.jobs, j, func(l *life, j sim.JobID) int { return int(l.job) - int(j) })
	return i
}

// of is what is known of a job, nil where it is in no pool.
func (p *Policy) lifeOf(j sim.JobID) *life {
	if at := p.at[j]; at >= 0 {
		q := &p.pools[at]
		return q.jobs[q.index(j)]
	}
	return nil
}

// life gives room for the books of a job.
func (p *Policy) life() *life {
	n := len(p.unused)
	if n == 0 {
		slab := make([]life, 64)
		for i := range slab {
			p.unused = append(p.unused, &slab[i])
		}
		n = len(slab)
	}
	l := p.unused[n-1]
	p.unused = p.unused[:n-1]
	return l
}

// survey finds the slots of each pool, which are its GPUs that are up and not held by a job apart,
// and moves the schedules to them.
func (p *Policy) survey(v *sim.View) {
	t := v.Topology()
	for g := range p.of {
		p.of[g] = 0
	}
	for _, j := range p.apart {
		for _, g := range v.Run(j).Held() {
			p.of[g] = -1
		}
	}
	for i := range p.pools {
		q := &p.pools[i]
		p.now, p.was = p.now[:0], p.was[:0]
		k := 0
		for m := range t.Machines() {
			if t.Type(m) != q.typ && !p.one {
				continue
			}
			lo, hi := t.MachineGPUs(m)
			for g := lo; g < hi; g++ {
				if !v.Up(g) || p.of[g] < 0 {
					continue
				}
				for k < len(q.slots) && q.slots[k] < g {
					k++
				}
				if k < len(q.slots) && q.slots[k] == g {
					p.was = append(p.was, int32(k))
				} else {
					p.was = append(p.was, -1)
				}
				p.now = append(p.now, g)
			}
		}
		if !slices.Equal(p.now, q.slots) {
			q.search.Slots(p.was)
			q.slots = append(q.slots[:0], p.now...)
		}
		for k, g := range q.slots {
			p.of[g] = int32(k)
		}
		q.note(v, p.of)
	}
}

// note writes down the present schedule, and gives the search the jobs' new numbers.
func (q *pool) note(v *sim.View, of []int32) {
	q.wants = evolve.Zeros(q.wants, q.named)
	for i := range q.wants {
		q.wants[i] = -1
	}
	for i, l := range q.jobs {
		if l.was >= 0 {
			q.wants[l.was] = int32(i)
		}
		l.was = int32(i)
	}
	q.search.Rename(q.wants)
	q.named = len(q.jobs)
	q.present = q.present[:0]
	for range q.slots {
		q.present = append(q.present, evolve.Idle)
	}
	q.has = evolve.Zeros(q.has, len(q.jobs))
	for i, l := range q.jobs {
		if v.Run(l.job).State() != sim.Running {
			continue
		}
		q.has[i] = int32(len(v.Run(l.job).Held()))
		for _, g := range v.Run(l.job).Held() {
			if k := of[g]; k >= 0 && int(k) < len(q.slots) && q.slots[k] == g {
				q.present[k] = int32(i)
			}
		}
	}
}
