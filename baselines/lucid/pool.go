package lucid

import (
	"slices"

	"tarry/sim"
	"tarry/sim/plan"
)

// pool is the profiler: machines of its own and a queue, least GPUs first.
type pool struct {
	in          []bool // by machine
	base, extra int    // machines of its own; the machines that it has borrowed
	busy        int    // jobs that hold GPUs, checkpoints and ghosts included
	queue       []ticket
	ghosts      []ghost
	held        []int32  // by machine, GPUs that ghosts hold
	scaled      sim.Time // the step in which its size was last looked at
}

// ticket is a job in the queue; a ghost's holds GPUs for the time that it would take and runs
// elsewhere.
type ticket struct {
	job   sim.JobID
	gpus  int32
	ghost bool
}

// ghost is a hold that ends by itself.
type ghost struct {
	until   sim.Time
	machine int32
	gpus    int32
	last    bool // of the machines that it holds
}

func (q *pool) init(v *sim.View, c *config) {
	n := v.Topology().Machines()
	q.in, q.held, q.scaled = make([]bool, n), make([]int32, n), -1
	if c.profiler == "off" {
		return
	}
	q.base = min(c.machines, n/4)
	for m := n - q.base; m < n; m++ {
		q.in[m] = true
	}
}

// enter puts a job into the queue: least GPUs first, then by submission.
func (q *pool) enter(v *sim.View, j sim.JobID, as bool) {
	t := ticket{j, int32(v.Job(j).GPUs()), as}
	at, _ := slices.BinarySearchFunc(q.queue, t, func(a, b ticket) int {
		if a.gpus != b.gpus {
			return int(a.gpus - b.gpus)
		}
		return int(a.job - b.job)
	})
	q.queue = slices.Insert(q.queue, at, t)
}

// nextEnd is when the first ghost leaves; Never where there is none.
func (q *pool) nextEnd() sim.Time {
	if len(q.ghosts) == 0 {
		return sim.Never
	}
	return q.ghosts[0].until
}

// depart ends what ghosts hold.
func (q *pool) depart(now sim.Time) {
	n := 0
	for ; n < len(q.ghosts) && q.ghosts[n].until <= now; n++ { // all hold for equally long
		g := q.ghosts[n]
		q.held[g.machine] -= g.gpus
		if g.last {
			q.busy--
		}
	}
	q.ghosts = slices.Delete(q.ghosts, 0, n)
}

// profile starts jobs of the profiler's queue; the first that does not fit blocks those behind it.
// One that does not fit into an empty profiler goes to the main queue without.
func (p *Policy) profile(v *sim.View, out []sim.Decision) []sim.Decision {
	q := &p.pool
	q.depart(v.Now())
	for len(q.queue) > 0 && p.late == sim.NoJob {
		t := q.queue[0]
		d := p.demand.Demand(t.job)
		if t.ghost {
			if !p.haunt(v, d) && q.busy > 0 {
				return out
			}
		} else if ms, ok := p.machines(v, t.job, d, true); ok {
			gpus, ok := p.place.On(v, d, ms...)
			if !ok {
				return out
			}
			q.busy++
			p.jobs[t.job].where = profiling
			start := sim.Decision{Kind: sim.Start, Job: t.job, GPUs: gpus}
			if p.cfg.profiler == "native" {
				start.Lease = p.cfg.limit
			}
			out = append(out, start)
		} else if q.busy > 0 {
			return out
		} else {
			p.await(v, t.job)
		}
		q.queue = slices.Delete(q.queue, 0, 1)
	}
	return out
}

// haunt lets a job that runs elsewhere hold GPUs of the profiler for the time of a profile.
func (p *Policy) haunt(v *sim.View, d *plan.Demand) bool {
	ms, ok := p.machines(v, sim.NoJob, d, true)
	if !ok {
		return false
	}
	left := d.GPUs
	for _, m := range ms {
		n := min(left, p.spare(v, d, m))
		left -= n
		p.pool.held[m] += n
		p.pool.ghosts = append(p.pool.ghosts, ghost{v.Now() + p.cfg.limit, m, n, left == 0})
	}
	p.pool.busy++
	return true
}

// growing reports whether the profiler wants a machine more.
func (p *Policy) growing() bool {
	return len(p.pool.queue) > p.cfg.grow && p.pool.base > 0 && p.pool.base+p.pool.extra < p.cfg.most
}

// scale gives the profiler an idle machine of the main pool, the last, or one back, the first, at
// most once in a step.
func (p *Policy) scale(v *sim.View) {
	q := &p.pool
	grow := p.growing()
	calm := len(q.queue) < p.cfg.shrink && p.load.forecast(&p.cfg) <= p.cfg.steps*float64(q.base*p.cfg.gpus)
	if q.scaled == p.load.at || !grow && !(q.extra > 0 && calm) {
		return
	}
	own := len(q.in) - q.base
	for i := range own {
		m := own - 1 - i
		if !grow {
			m = i
		}
		lo, hi := v.Topology().MachineGPUs(m)
		if q.in[m] != grow && q.held[m] == 0 && v.Free().InMachine(m) == int(hi-lo) {
			q.in[m], q.scaled = grow, p.load.at
			if q.extra--; grow {
				q.extra += 2
			}
			return
		}
	}
}
