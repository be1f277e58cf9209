package horus

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
)

// gpus is what is on each GPU at this instant, with what has been decided.
type gpus struct {
	busy, mib []float64 // sums over its jobs
	jobs      []int32   // -1 = no job may join
	cost      []float64 // for the job that is being placed; +Inf = it may not
}

// look counts what is on each GPU.
func (p *Policy) look(v *sim.View) {
	t, g := v.Topology(), &p.gpus
	if g.busy == nil {
		n := t.GPUs()
		g.busy, g.mib, g.cost, g.jobs = make([]float64, n), make([]float64, n), make([]float64, n), make([]int32, n)
	}
	for i := range g.busy {
		g.busy[i], g.mib[i], g.jobs[i] = 0, 0, 0
		if !v.Up(cluster.GPU(i)) {
			g.jobs[i] = -1
			continue
		}
		if v.Share(cluster.GPU(i)) == 0 {
			continue
		}
		for _, j := range v.On(cluster.GPU(i)) {
			if v.Run(j).State() != sim.Running {
				g.jobs[i] = -1
				break
			}
			g.jobs[i]++
			g.busy[i] += p.busy(v, j)
			g.mib[i] += p.memory(v, j)
		}
	}
}

// book counts a job on the GPUs that it gets.
func (p *Policy) book(v *sim.View, j sim.JobID, on []cluster.GPU) {
	for _, x := range on {
		p.gpus.jobs[x]++
		p.gpus.busy[x] += p.busy(v, j)
		p.gpus.mib[x] += p.memory(v, j)
	}
}

// price sets the cost of each GPU for a job.
func (p *Policy) price(v *sim.View, j sim.JobID) {
	t, g, d := v.Topology(), &p.gpus, p.demand.Demand(j)
	need, use := p.memory(v, j), p.busy(v, j)
	// a wrong prediction may be more than any GPU has: an empty one is tried then
	sure := p.draws == nil || v.Run(j).Started() != sim.Never
	for m := range t.Machines() {
		lo, hi := t.MachineGPUs(m)
		capacity := float64(t.GPUMiB(m))
		typed := d.Type == "" || len(t.Types()) == 1 || t.Type(m) == d.Type
		room := p.place.Room(v, m, d) > 0
		for x := lo; x < hi; x++ {
			g.cost[x] = math.Inf(1)
			if !typed || !room || g.jobs[x] < 0 || int(g.jobs[x]) >= p.cfg.most || capacity > 0 &&
				g.mib[x]+need > capacity && (sure || g.jobs[x] > 0) {
				continue
			}
			g.cost[x] = p.cfg.of(g.busy[x], use, g.mib[x], need, capacity, int(g.jobs[x]))
		}
	}
}

// of is the cost of a GPU that is busy for a part now and has some memory in use, for a job that
// brings more; the lower the better.
//
//	1.3 memory + U/100 + jobs        U = |now + task - 100|, times over where now + task > 100, in per cent
func (c *config) of(now, task, used, need, capacity float64, jobs int) float64 {
	mem := 0.0
	if capacity > 0 {
		mem = (used + need) / capacity
	}
	u := 100 * now
	if !c.gandiva {
		u = math.Abs(100*(now+task) - 100)
		if now+task > 1 {
			u *= c.over
		}
	}
	return float64(1.3*mem) + u/100 + float64(jobs)
}
