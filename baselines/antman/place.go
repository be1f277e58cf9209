package antman

import (
	"math"

	"tarry/baselines/colocate"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// guarantee starts guaranteed jobs in order of arrival, each on GPUs without another one, and
// reports whether a job still waits.
func (p *Policy) guarantee(v *sim.View) (left bool) {
	for i := range p.tenants {
		p.tenants[i].queue.Open()
	}
	for {
		j, t := p.first()
		if j == sim.NoJob {
			break
		}
		d := t.queue.Demand(j)
		gpus, ok := []cluster.GPU(nil), p.within(v, t, int(d.GPUs))
		if ok {
			gpus, ok = p.exclusive(v, j, d)
		}
		if !ok {
			t.queue.Close(j)
			left = true
			continue
		}
		p.begin(v, j, d, gpus, true)
		t.held += len(gpus)
	}
	return left
}

// first is the job that came first among all tenants' jobs, and its tenant.
func (p *Policy) first() (best sim.JobID, of *tenant) {
	best = sim.NoJob
	for i := range p.tenants {
		if p.tenants[i].queue.Len() == 0 {
			continue
		}
		if j := p.tenants[i].queue.Best(); j != sim.NoJob && (best == sim.NoJob || j < best) {
			best, of = j, &p.tenants[i]
		}
	}
	return best, of
}

// within reports whether a tenant may hold so many more. One that holds none may have a job larger
// than its quota, which could not run otherwise.
func (p *Policy) within(v *sim.View, t *tenant, n int) bool {
	if !p.cfg.limited(v) || t.held == 0 {
		return true
	}
	quota := p.cfg.quota
	if quota == 0 {
		quota = t.own
	}
	if quota == 0 {
		quota = max(1, v.Topology().GPUs()/len(p.tenants))
	}
	return t.held+n <= quota
}

// exclusive chooses GPUs without a guaranteed job: idle ones, unless others are nearer together.
func (p *Policy) exclusive(v *sim.View, j sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
	t, need := v.Topology(), int64(v.Job(j).GPUMiB())
	holds := func(g cluster.GPU) bool { return need <= colocate.Capacity(t, g) }
	idle, ok := p.board.Idle(v, d, d.Type, holds)
	if len(p.guests) == 0 || ok && t.LevelOf(idle) <= cluster.LevelMachine {
		return idle, ok
	}
	some, found := p.board.Pick(v, d, d.Type, func(g cluster.GPU) (cost, tie float64, ok bool) {
		on := v.On(g)
		return float64(len(on)), 0, holds(g) && p.leads(on) == sim.NoJob
	})
	if ok && (!found || t.LevelOf(idle) <= t.LevelOf(some)) {
		return idle, true
	}
	return some, found
}

// leads is the guaranteed job among some, NoJob where there is none.
func (p *Policy) leads(on []sim.JobID) sim.JobID {
	for _, j := range on {
		if p.jobs[j].first {
			return j
		}
	}
	return sim.NoJob
}

// slip starts opportunistic jobs in order of arrival and reports whether a job still waits.
func (p *Policy) slip(v *sim.View) (left bool) {
	p.spare.Open()
	p.limits.Open()
	for p.spare.Len() > 0 {
		j := p.spare.Within(p.limits.Within)
		if j == sim.NoJob {
			break
		}
		d := p.spare.Demand(j)
		gpus, ok := p.beside(v, j, d)
		if !ok {
			p.limits.Close(d, float64(v.Job(j).GPUMiB()))
			continue
		}
		p.begin(v, j, d, gpus, false)
	}
	return p.spare.Len() > 0
}

// beside chooses the least utilised GPUs below the bound that have memory for a job: idle ones if
// there are enough.
func (p *Policy) beside(v *sim.View, j sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
	need := math.Ceil(p.cfg.room * float64(v.Job(j).GPUMiB()))
	roomy := func(g cluster.GPU) bool {
		free := v.GPUMiBFree(g)
		return free == math.MaxInt64 || need <= float64(free)
	}
	if p.cfg.util > 0 {
		if gpus, ok := p.board.Idle(v, d, d.Type, roomy); ok {
			return gpus, true
		}
	}
	return p.board.PickAmong(v, d, d.Type, p.below(v), func(g cluster.GPU) (cost, tie float64, ok bool) {
		if !roomy(g) {
			return 0, 0, false
		}
		on, others, u := v.On(g), 0, 0.0
		for _, x := range on {
			if !p.jobs[x].first {
				others++
			}
			u += float64(p.busy(v, x) * p.part(v, x))
		}
		return u, float64(len(on)), others < p.cfg.most && u < p.cfg.util
	})
}

// calm lists the GPUs that may be utilised below the bound, as of a decision since which no job's
// GPUs, share or speed has changed.
type calm struct {
	gpus  []cluster.GPU
	known bool
	// of each GPU, 0 outside of below
	load   []float64
	guests []int32
}

// below lists GPUs, ascending, among which are all that are utilised below the bound and have room
// for an opportunistic job more. What a job adds to its GPUs counts if its speed alone is known; sums
// in another order than by job are equal but for rounding.
func (p *Policy) below(v *sim.View) []cluster.GPU {
	const rounding = 1e-9
	c := &p.calm
	if c.known {
		return c.gpus
	}
	if c.load == nil {
		c.load, c.guests = make([]float64, v.Topology().GPUs()), make([]int32, v.Topology().GPUs())
	}
	for _, j := range p.guests {
		if v.Run(j).State() == sim.Running {
			for _, g := range v.Run(j).Held() {
				c.guests[g]++
			}
		}
	}
	for _, j := range v.Running() {
		x := &p.jobs[j]
		if x.solo == 0 || !x.fixed {
			continue
		}
		u := x.util * p.part(v, j)
		for _, g := range v.Run(j).Held() {
			c.load[g] += u
		}
	}
	c.known, c.gpus = true, c.gpus[:0]
	for g, u := range c.load {
		if u < p.cfg.util+rounding && int(c.guests[g]) < p.cfg.most {
			c.gpus = append(c.gpus, cluster.GPU(g))
		}
	}
	clear(c.load)
	clear(c.guests)
	return c.gpus
}

// busy is the utilisation of a job alone.
func (p *Policy) busy(v *sim.View, j sim.JobID) float64 {
	if u := v.Job(j).GPUUtilFrac(); u > 0 {
		return u
	}
	return p.cfg.unknown
}

// part is the part of its speed alone that a running job has, at most 1.
func (p *Policy) part(v *sim.View, j sim.JobID) float64 {
	x := &p.jobs[j]
	if x.solo == 0 || !x.fixed { // another caller may resize it
		lo, hi := v.Job(j).Range()
		x.fixed, x.util = lo >= hi, p.busy(v, j)
		x.solo = v.Predict(j, sim.Placement{GPUs: v.Run(j).Held(), Idle: true}).Rate
	}
	if x.solo <= 0 {
		return 1
	}
	return min(1, v.Run(j).Speed().Rate/x.solo)
}

// begin plans a start.
func (p *Policy) begin(v *sim.View, j sim.JobID, d *plan.Demand, gpus []cluster.GPU, first bool) {
	x := &p.jobs[j]
	x.first, x.share, x.bad, x.solo = first, p.cfg.least, 1001, 0
	p.board.Start(v, j, d, gpus, sim.Knobs{})
	if q := &p.tenants[x.tenant].queue; q.Has(j) {
		q.Remove(j)
	}
	if p.spare.Has(j) {
		p.spare.Remove(j)
	}
	if first {
		p.runs = append(p.runs, j)
	} else {
		p.guests = append(p.guests, j)
	}
}
