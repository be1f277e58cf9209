package sjfbco

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// policy is SJF-BCO. Build it with New; it belongs to one run.
type policy struct {
	planner
	batch    int // most jobs of a type in a plan
	estimate bool
	queue    plan.Queue
	place    *plan.Placer

	// Of a decision:
	v        *sim.View
	perType  []int  // jobs in the plan that ask for any type, and for each
	room     []int  // GPUs within sight, and of each type
	promised []bool // GPUs for which an earlier task waits
}

// New makes SJF-BCO; the package comment states what it does. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &policy{place: plan.NewPlacer(rule)}
	p.alpha, p.steps = s.Float("alpha", 0.2, 0, 100), s.Int("steps", 4, 0, 64)
	p.byMean = s.Enum("goal", "makespan", "mean") == "mean"
	p.estimate = s.Enum("by", "work", "estimate") == "estimate"
	p.batch = s.Int("batch", 16, 1, 1<<20)
	return p, s.Err()
}

// Knows declares speeds, and what the ends of jobs follow from.
func (p *policy) Knows() know.Set {
	if p.estimate {
		return know.Estimate | know.Done | know.Speed
	}
	return know.Work | know.Speed
}

// Decide plans the waiting jobs as a batch and starts the jobs whose GPUs are free now.
func (p *policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.queue.Follow(v, size, nil)
	if p.queue.Len() == 0 || v.Free().Total() == 0 && !p.queue.Sharing() {
		return out
	}
	p.place.Begin(v)
	out = p.shared(v, out)
	if !p.startable(v) {
		return out
	}
	p.see(v)
	p.gather(v)
	p.ask = p
	found := p.search()
	p.v, p.ask = nil, nil
	return p.start(v, found, out)
}

// size is the order of the batch: fewest GPUs first, then by arrival.
func size(v *sim.View, j sim.JobID) float64 { return float64(v.Job(j).GPUs()) }

// left is the work left of a job, as far as the policy knows it; at least a microsecond.
func (p *policy) left(v *sim.View, j sim.JobID) float64 {
	if p.estimate {
		return max(1, v.Job(j).Estimate()-v.Run(j).Done())
	}
	return max(1, v.Run(j).Left())
}

// shared starts the jobs that ask for a part of a GPU and fit: they are in no plan.
func (p *policy) shared(v *sim.View, out []sim.Decision) []sim.Decision {
	if !p.queue.Sharing() {
		return out
	}
	p.queue.Open()
	for j := p.queue.Best(); j != sim.NoJob; j = p.queue.Best() {
		if p.queue.Demand(j).ShareMilli < 1000 {
			if out = plan.Start(v, &p.queue, p.place, nil, j, out); !p.queue.Has(j) {
				continue
			}
		}
		p.queue.Close(j)
	}
	return out
}

// startable reports whether some demand for whole GPUs could start now.
func (p *policy) startable(v *sim.View) bool {
	p.queue.Open()
	for j := p.queue.Best(); j != sim.NoJob; j = p.queue.Best() {
		d := p.queue.Demand(j)
		if f := v.Free().Of(d.Type); d.ShareMilli == 1000 && f != nil && f.Total() >= int(d.GPUs) {
			return true
		}
		p.queue.Close(j)
	}
	return false
}

// see brings up to date when each GPU is free.
func (p *policy) see(v *sim.View) {
	t := v.Topology()
	if p.machine == nil {
		p.layout(t)
	}
	for g := range p.base {
		p.base[g], p.holder[g] = math.Inf(1), -1
		if v.Free().Has(cluster.GPU(g)) {
			p.base[g] = 0
		} else if v.Up(cluster.GPU(g)) {
			p.base[g] = 1 // a checkpoint is being written, or a job starts there that is in no plan
		}
	}
	p.v = v
	p.runs = p.runs[:0]
	p.links = slices.Grow(p.links[:0], v.Links().Count())[:v.Links().Count()]
	for _, j := range v.Running() {
		held := v.Run(j).Held()
		end := p.left(v, j) / v.Run(j).Speed().Rate
		for _, g := range held {
			p.base[g] = max(p.base[g], end)
		}
		if len(p.links) > 0 && !math.IsInf(end, 1) {
			p.share(j, held)
		}
	}
	clear(p.room)
	for g, x := range p.base {
		if !math.IsInf(x, 1) {
			p.room[0]++
			p.room[1+p.types[p.machine[g]]]++
		}
	}
}

// share adds a running job to the jobs that are played, if it shares links.
func (p *policy) share(j sim.JobID, held []cluster.GPU) {
	p.runs = grow(p.runs)
	t := &p.runs[len(p.runs)-1]
	t.reset(j, len(held), -1)
	pr, _ := t.known(held)
	if p.price(t, pr); len(pr.links) == 0 {
		p.runs = p.runs[:len(p.runs)-1]
		return
	}
	for _, g := range held {
		p.holder[g] = int32(len(p.runs) - 1)
	}
}

// grow lengthens tasks by one, which keeps its memory of before.
func grow(tasks []task) []task {
	if len(tasks) < cap(tasks) {
		return tasks[:len(tasks)+1]
	}
	return append(tasks, task{})
}

// layout notes the cluster.
func (p *policy) layout(t *cluster.Topology) {
	n := t.GPUs()
	p.machine, p.base, p.holder, p.promised = make([]int32, n), make([]float64, n), make([]int32, n), make([]bool, n)
	for m := range t.Machines() {
		lo, hi := t.MachineGPUs(m)
		p.first, p.types = append(p.first, int32(lo)), append(p.types, t.TypeOf(m))
		for g := lo; g < hi; g++ {
			p.machine[g] = int32(m)
		}
	}
	p.first = append(p.first, int32(n))
	p.room, p.perType = make([]int, 1+len(t.Types())), make([]int, 1+len(t.Types()))
}

// gather moves the smallest waiting jobs of each type to the plan.
func (p *policy) gather(v *sim.View) {
	clear(p.perType)
	p.tasks = p.tasks[:0]
	p.queue.Open()
	for j := p.queue.Best(); j != sim.NoJob; j = p.queue.Best() {
		d := p.queue.Demand(j)
		typ := -1
		if d.Type != "" && len(p.room) > 2 {
			typ = v.Topology().TypeIndex(d.Type)
		}
		if d.ShareMilli < 1000 || p.room[1+typ] < int(d.GPUs) || p.perType[1+typ] == p.batch {
			p.queue.Close(j)
			continue
		}
		p.perType[1+typ]++
		p.queue.Remove(j)
		p.tasks = grow(p.tasks)
		p.tasks[len(p.tasks)-1].reset(j, int(d.GPUs), typ)
	}
}

// price asks the speed model for a job on some GPUs alone. A job without an answer is as fast as
// its GPUs are many.
func (p *policy) price(t *task, pr *price) {
	rate := p.v.Predict(t.id, sim.Placement{GPUs: pr.on, Idle: true}).Rate
	if !(rate > 0) {
		rate = float64(len(pr.on))
	}
	pr.alone = p.left(p.v, t.id) / rate
	if len(p.links) == 0 {
		return
	}
	pr.links = p.v.Links().Crosses(pr.links, t.id, pr.on, p.v.Run(t.id).Knobs().Path)
	if one, ok := p.v.Links().Period(t.id, sim.Placement{GPUs: pr.on}); ok && len(pr.links) > 0 {
		pr.compute, pr.transfer, pr.release = one.ComputeS, one.TransferS, one.ReleaseFrac
	} else {
		pr.links = pr.links[:0]
	}
}

// start starts the jobs of the best plan whose GPUs are free and promised to no job before them.
// The others go back to the queue.
func (p *policy) start(v *sim.View, found bool, out []sim.Decision) []sim.Decision {
	clear(p.promised)
	for i := range p.tasks {
		t := &p.tasks[i]
		d := p.queue.Demand(t.id)
		gpus, ok := t.best, found
		for _, g := range gpus {
			ok = ok && !p.promised[g] && v.Free().Has(g)
		}
		if ok && !p.place.Stay(v, gpus, d) { // no room for its CPU or memory there
			gpus, ok = p.place.Place(v, d)
		}
		if ok {
			out = append(out, sim.Decision{Kind: sim.Start, Job: t.id, GPUs: gpus})
			continue
		}
		for _, g := range gpus {
			p.promised[g] = true
		}
		p.queue.Add(v, t.id, size(v, t.id), 0)
	}
	return out
}
