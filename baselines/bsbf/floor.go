package bsbf

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// resident is a running job with the GPUs that it has alone.
type resident struct {
	job  sim.JobID
	gpus []cluster.GPU // in floor.spots
	solo float64       // time left alone, us
	free int64         // memory of each GPU that it leaves, MiB
}

// floor is who is where, as of the last decision of this instant: idle GPUs (the paper's HP) and
// GPUs with one resident (LP).
type floor struct {
	stale     bool
	idle      []cluster.GPU
	load      []int8 // running jobs on each GPU
	residents []resident
	spots     []cluster.GPU
	types     []int   // machine -> type
	jobs      []int32 // machine -> running jobs
	lone      []lone  // job -> its speed alone
	// of the job that is being placed: how many GPUs a machine can carry, and how many are counted
	// or chosen there
	room, count []int32
	chosen      []cluster.GPU
}

// lone is the speed that a job has alone on the GPUs that it got at an instant; 0 = not asked yet.
type lone struct {
	since sim.Time
	rate  float64
}

func (f *floor) init(t *cluster.Topology, jobs int) {
	n := t.Machines()
	f.lone = make([]lone, jobs)
	f.load, f.types = make([]int8, t.GPUs()), make([]int, n)
	f.jobs, f.room, f.count = make([]int32, n), make([]int32, n), make([]int32, n)
	f.spots = make([]cluster.GPU, 0, t.GPUs())
	for m := range f.types {
		f.types[m] = slices.Index(t.Types(), t.Type(m))
	}
}

// scan looks at every GPU and every running job, once for what has changed.
func (p *Policy) scan(v *sim.View) {
	if !p.stale {
		return
	}
	p.stale = false
	if p.load == nil {
		p.init(v.Topology(), v.NumJobs())
	}
	clear(p.load)
	clear(p.jobs)
	for _, b := range v.Running() {
		p.seen(v, v.Run(b).Held())
	}
	for _, s := range p.begun {
		p.seen(v, s.gpus)
	}
	p.idle = p.idle[:0]
	for g := range cluster.GPU(len(p.load)) {
		if v.Free().Has(g) {
			p.idle = append(p.idle, g)
		}
	}
	p.residents, p.spots = p.residents[:0], p.spots[:0]
	for _, b := range v.Running() {
		p.sit(v, b, v.Run(b).Held(), true, 0)
	}
	for _, s := range p.begun {
		p.sit(v, s.job, s.gpus, false, s.mib)
	}
}

// seen counts a job on its GPUs and machines.
func (p *Policy) seen(v *sim.View, gpus []cluster.GPU) {
	last := -1
	for _, g := range gpus {
		p.load[g]++
		if m := v.Topology().Machine(g); m != last {
			last = m
			p.jobs[m]++
		}
	}
}

// sit notes a job and the GPUs on which another may join it: no other job is there, also none that
// writes a checkpoint. A job that asks for a part of a GPU has none. more is memory that it uses
// and that is not in the view yet, as it starts now.
func (p *Policy) sit(v *sim.View, b sim.JobID, gpus []cluster.GPU, runs bool, more int32) {
	if p.kinds[p.of[b]].share < whole || !slices.ContainsFunc(gpus,
		func(g cluster.GPU) bool { return p.load[g] == 1 }) {
		return
	}
	share := 0
	if runs {
		share = int(v.Run(b).Knobs().ShareMilli)
	}
	from, free := len(p.spots), int64(math.MaxInt64)
	for _, g := range gpus {
		if p.load[g] == 1 && v.Up(g) && v.Share(g) == share {
			p.spots = append(p.spots, g)
			free = min(free, v.GPUMiBFree(g))
		}
	}
	if len(p.spots) == from {
		return
	}
	if free < math.MaxInt64 {
		free -= int64(more)
	}
	p.residents = append(p.residents, resident{b, p.spots[from:], p.cfg.left(v, b) / p.lonely(v, b, gpus, runs), free})
}

// lonely is the speed of a job alone on its GPUs, asked once for each allocation of a job that runs
// where speeds do not depend on progress.
func (f *floor) lonely(v *sim.View, b sim.JobID, gpus []cluster.GPU, runs bool) float64 {
	x := &f.lone[b]
	_, progressive := v.Speeds()
	if runs && x.rate > 0 && x.since == v.Run(b).Since() && !progressive {
		return x.rate
	}
	rate := v.Predict(b, sim.Placement{GPUs: gpus, Idle: true}).Rate
	if runs {
		*x = lone{v.Run(b).Since(), rate}
	}
	return rate
}
