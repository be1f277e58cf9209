package voda

import (
	"cmp"
	"math"
	"slices"

	"tarry/baselines/voda/allocate"
	"tarry/sim"
	"tarry/sim/plan"
)

// pool is the GPUs of one type and the jobs that share them, in order of arrival.
type pool struct {
	typ       string // "" in a cluster without types
	total, up int    // GPUs, and how many of them have not failed
	asked     int    // GPUs that its jobs ask for
	ids       []sim.JobID
	jobs      []allocate.Job
	ranks     []int32   // with queues: the jobs' places, by queue and first start
	gpus      []int     // that each job is to have
	served    []int32   // places of the jobs that are to have some
	linear    []float64 // 0, 1, 2 ... total
}

// Where a job is listed: the index of its pool, or
const (
	nowhere int32 = -1 - iota
	aside         // in Policy.apart
)

// index is where a job stands in its pool: jobs arrive in the order of their ids.
func (q *pool) index(j sim.JobID) int {
	i, _ := slices.BinarySearch(q.ids, j)
	return i
}

// remove takes the i-th of a list away. It moves the shorter side: with many jobs waiting ending
// jobs are near the front.
func remove[T any](list []T, i int) []T {
	if i >= len(list)/2 {
		return slices.Delete(list, i, i+1)
	}
	var zero T
	copy(list[1:i+1], list[:i])
	list[0] = zero
	return list[1:]
}

// open looks at the cluster.
func (p *Policy) open(v *sim.View) {
	t := v.Topology()
	types := t.Types()
	for _, name := range types {
		if name == "" && len(types) > 1 {
			continue
		}
		q := pool{typ: name, total: t.OfType(name)}
		if !p.cfg.speeds {
			for n := range q.total + 1 {
				q.linear = append(q.linear, float64(n))
			}
		}
		p.pools = append(p.pools, q)
	}
	p.grid = make([]uint32, t.GPUs())
	p.at = slices.Repeat([]int32{nowhere}, v.NumJobs())
	p.queues.open(v.NumJobs())
	p.count(v)
}

// count counts the GPUs that have not failed.
func (p *Policy) count(v *sim.View) {
	for i := range p.pools {
		p.pools[i].up = 0
	}
	t := v.Topology()
	for m := range t.Machines() {
		i := p.poolOf(t.Type(m))
		if i < 0 {
			continue
		}
		lo, hi := t.MachineGPUs(m)
		for g := lo; g < hi; g++ {
			if v.Up(g) {
				p.pools[i].up++
			}
		}
	}
}

// poolOf is the pool of a type, -1 when there is none.
func (p *Policy) poolOf(typ string) int {
	return slices.IndexFunc(p.pools, func(q pool) bool { return q.typ == typ })
}

// join lists a job that has arrived.
func (p *Policy) join(v *sim.View, j sim.JobID) {
	i := p.choose(v, j)
	if i < 0 {
		p.at[j] = aside
		p.apart = append(p.apart, j)
		return
	}
	q := &p.pools[i]
	worker := v.Job(j).WorkerGPUs()
	lo, hi := v.Job(j).Range()
	hi = min(hi, q.total/worker*worker)
	x := allocate.Job{Min: lo, Max: hi, Num: min(max(v.Job(j).GPUs()/worker*worker, lo), hi), Step: worker,
		Submit: int64(v.Job(j).Submit()), FirstStart: allocate.Never, Speedup: q.linear}
	if p.cfg.speeds {
		x.Speedup = p.curves.OfType(v, j, q.typ)
		if p.cfg.peak {
			x.Max = max(lo, min(hi, plan.Peak(x.Speedup)))
			x.Num = min(x.Num, x.Max)
		}
	}
	p.at[j] = int32(i)
	q.ids, q.jobs, q.asked = append(q.ids, j), append(q.jobs, x), q.asked+x.Num
	if p.cfg.queued {
		q.rank(len(q.jobs) - 1)
	}
	p.refresh(v, j)
}

// choose gives the pool of a job, -1 for one that is not counted: the pool of its type, else that
// with the fewest GPUs asked of it, for its size.
func (p *Policy) choose(v *sim.View, j sim.JobID) int {
	a := v.Job(j).Public()
	if a.ShareMilli > 0 && a.ShareMilli < 1000 || a.CPUMilli > 0 || a.MemMiB > 0 {
		return -1
	}
	best := -1
	least, _ := a.Range()
	for i := range p.pools {
		q := &p.pools[i]
		if q.total < int(least) || len(p.pools) > 1 && a.GPUType != "" && a.GPUType != q.typ {
			continue
		}
		if best < 0 || q.asked*p.pools[best].total < p.pools[best].asked*q.total {
			best = i
		}
	}
	return best
}

// leave forgets a job that has ended.
func (p *Policy) leave(v *sim.View, j sim.JobID) {
	at := p.at[j]
	p.at[j] = nowhere
	p.queues.ends(j)
	switch {
	case at == aside:
		i := slices.Index(p.apart, j)
		p.apart = slices.Delete(p.apart, i, i+1)
	case at >= 0:
		q := &p.pools[at]
		i := q.index(j)
		q.asked -= q.jobs[i].Num
		if p.cfg.queued {
			q.dropRank(i)
		}
		q.ids, q.jobs = remove(q.ids, i), remove(q.jobs, i)
	}
}

// find is a job's pool and its place there; nil when it is not counted.
func (p *Policy) find(j sim.JobID) (q *pool, i int) {
	if at := p.at[j]; at >= 0 {
		q = &p.pools[at]
		return q, q.index(j)
	}
	return nil, 0
}

// starting notes the first start of a job.
func (p *Policy) starting(v *sim.View, j sim.JobID) {
	if q, i := p.find(j); q != nil && q.jobs[i].FirstStart == allocate.Never {
		p.alter(q, i, q.jobs[i].Queue, int64(v.Now()))
	}
}

// move brings the queues of jobs that have changed them up to date.
func (p *Policy) move() {
	for _, j := range p.queues.moved {
		if q, i := p.find(j); q != nil {
			p.alter(q, i, p.queues.jobs[j].queue, q.jobs[i].FirstStart)
		}
	}
}

// refresh brings what is left of a job up to date, or what it has attained.
func (p *Policy) refresh(v *sim.View, j sim.JobID) {
	q, i := p.find(j)
	if q == nil {
		return
	}
	switch x := &q.jobs[i]; {
	case p.cfg.attained:
		x.Remaining = float64(v.Run(j).Service())
	case !p.cfg.lengths:
	case p.cfg.estimate:
		// ms: the last bits of what is done follow from what is left
		if x.Remaining = max(1, math.Round((v.Job(j).Estimate()-v.Run(j).Done())/1e3)) * 1e3; !(x.Remaining < 1e21) {
			x.Remaining = 1e21
		}
	default:
		x.Remaining = max(1, v.Run(j).Left())
	}
}

// share lists how many GPUs each job is to have: jobs that are not counted keep what they have,
// then come starts, the largest first, then jobs that run, then what is not counted and waits.
func (p *Policy) share(v *sim.View) {
	p.counts, p.starts = p.counts[:0], p.starts[:0]
	if p.cfg.lengths || p.cfg.attained {
		for _, j := range v.Running() {
			p.refresh(v, j)
		}
	}
	taken := 0
	for _, j := range p.apart {
		if v.Run(j).State() == sim.Running {
			p.counts = append(p.counts, plan.Count{Job: j, GPUs: int32(len(v.Run(j).Held()))})
			taken++
		}
	}
	for i := range p.pools {
		q := &p.pools[i]
		free := q.up
		if taken > 0 {
			free -= p.takenOf(v, q)
		}
		q.gpus = p.rule.share(q, max(0, free))
		p.list(v, q)
	}
	slices.SortStableFunc(p.starts, func(a, b plan.Count) int { return cmp.Compare(b.GPUs, a.GPUs) })
	p.counts = append(p.counts, p.starts...)
	for i := range p.pools {
		q := &p.pools[i]
		for _, k := range q.served {
			if j := q.ids[k]; v.Run(j).State() == sim.Running {
				p.counts = append(p.counts, plan.Count{Job: j, GPUs: int32(q.gpus[k])})
			}
		}
	}
	for _, j := range p.apart {
		if v.Run(j).State() == sim.Waiting {
			lo, _ := v.Job(j).Range()
			if n := v.Job(j).GPUs(); v.Free().Total() >= n {
				lo = n
			}
			p.counts = append(p.counts, plan.Count{Job: j, GPUs: int32(lo)})
		}
	}
}

// list cuts what the jobs of a pool are to have to what they can use, and lists starting ones.
func (p *Policy) list(v *sim.View, q *pool) {
	q.served = q.served[:0]
	for k, n := range q.gpus {
		if n == 0 {
			continue
		}
		if n = p.usable(&q.jobs[k], n); n == 0 {
			continue
		}
		q.gpus[k], q.served = n, append(q.served, int32(k))
		switch j := q.ids[k]; v.Run(j).State() {
		case sim.Waiting:
			p.starts = append(p.starts, plan.Count{Job: j, GPUs: int32(n), Type: q.typ})
		case sim.Draining:
			p.late = true
		}
	}
}

// usable is the largest number of GPUs up to n that a job can use: within its bounds, a multiple of
// its worker and, where speeds are known, one on which it makes progress.
func (p *Policy) usable(x *allocate.Job, n int) int {
	n = min(n, x.Max) / x.Step * x.Step
	if n < x.Min {
		return 0
	}
	if p.cfg.speeds {
		for k := n; k >= x.Min; k -= x.Step {
			if k < len(x.Speedup) && x.Speedup[k] > 0 {
				return k
			}
		}
	}
	return n
}

// takenOf counts the GPUs of a pool on which jobs run that are not counted.
func (p *Policy) takenOf(v *sim.View, q *pool) int {
	p.stamp++
	n, t := 0, v.Topology()
	for _, j := range p.apart {
		for _, g := range v.Run(j).Held() {
			if p.grid[g] != p.stamp && (len(p.pools) == 1 || t.Type(t.Machine(g)) == q.typ) {
				p.grid[g] = p.stamp
				n++
			}
		}
	}
	return n
}
