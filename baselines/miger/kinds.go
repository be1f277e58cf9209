package miger

import (
	"math"
	"slices"

	"tarry/baselines/miger/layout"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/mig"
	"tarry/sim/plan"
)

// alike is what jobs have in common that are taken to be alike.
type alike struct {
	model, typ     string
	gpus, cpu, mem int32
	gpuMiB         int32
	util           float64
	online, grows  bool
	service        int32 // of replicas: 1 + the service; 0 = jobs
	least          int8  // the least profile that meets their load
}

// kind is the jobs that are alike.
type kind struct {
	alike
	demand  plan.Demand
	single  bool        // one GPU and never more, no CPU, no host memory: it may be in an instance
	waiting []sim.JobID // ascending from head on
	head    int
	closed  uint32  // the round in which its first job could not start
	seen    uint32  // GPUs that have not changed since then gain nothing by one of it
	tables  []table // by class
}

// table is what one job alone has in the instances of a class: parts of the speed on a complete
// GPU, -1 where its memory does not suffice.
type table struct {
	known bool
	whole float64 // work per second on a complete GPU
	alone [8]float64
}

// class is the machines of one device and GPU type.
type class struct {
	dev    *mig.Device
	typ    string
	shapes *layout.Shapes
	gpu    [1]cluster.GPU // one of them, to ask about
	first  [8]int         // profile -> its first placement
	all    int            // the placement that is all of the GPU
}

// profile gives the profile of a placement.
func (c *class) profile(p int) int { return c.dev.Placements[p].Profile }

func (p *Policy) init(v *sim.View) {
	t := v.Topology()
	p.classAt = make([]int8, t.Machines())
	p.leanest = math.MaxInt64
	for m := range t.Machines() {
		p.classAt[m] = -1
		if n := t.GPUMiB(m); n > 0 {
			p.leanest = min(p.leanest, n)
		}
		if d := t.MIG(m); d != nil {
			p.classAt[m] = p.classOf(t, d, m)
		}
	}
	for g := range cluster.GPU(t.GPUs()) {
		p.gpus = append(p.gpus, g)
	}
	if len(p.classes) > 0 {
		p.cells = make([]cell, t.GPUs())
	}
}

// classOf gives the class of a machine that can be cut.
func (p *Policy) classOf(t *cluster.Topology, d *mig.Device, m int) int8 {
	for i := range p.classes {
		if c := &p.classes[i]; c.dev == d && c.typ == t.Type(m) {
			return int8(i)
		}
	}
	lo, _ := t.MachineGPUs(m)
	c := class{dev: d, typ: t.Type(m), gpu: [1]cluster.GPU{lo}}
	for i := range p.classes {
		if p.classes[i].dev == d {
			c.shapes = p.classes[i].shapes
		}
	}
	if c.shapes == nil {
		c.shapes = layout.NewShapes(d)
	}
	for i := len(d.Placements) - 1; i >= 0; i-- {
		c.first[d.Placements[i].Profile] = i
	}
	c.all = len(d.Placements) - 1
	p.classes = append(p.classes, c)
	return int8(len(p.classes) - 1)
}

// wait puts a job among the waiting jobs of its kind.
func (p *Policy) wait(v *sim.View, j sim.JobID) {
	if p.kindOf[j] < 0 {
		p.kindOf[j] = p.sort(v, j)
	}
	x := &p.kinds[p.kindOf[j]]
	if n := len(x.waiting); n == x.head || x.waiting[n-1] < j {
		x.waiting = append(x.waiting, j)
		return
	}
	i, _ := slices.BinarySearch(x.waiting[x.head:], j)
	x.waiting = slices.Insert(x.waiting, x.head+i, j)
}

// sort gives the kind of a job.
func (p *Policy) sort(v *sim.View, j sim.JobID) int32 {
	a := v.Job(j).Public()
	_, hi := v.Job(j).Range()
	key := alike{model: a.Model, typ: a.GPUType, gpus: int32(v.Job(j).GPUs()), cpu: a.CPUMilli, mem: a.MemMiB,
		gpuMiB: a.GPUMiB, util: a.GPUUtilFrac, online: a.Priority > 0, grows: hi > 1}
	return p.kind(key)
}

// kind gives the kind of jobs that are alike.
func (p *Policy) kind(key alike) int32 {
	k, ok := p.index[key]
	if !ok {
		k = int32(len(p.kinds))
		p.index[key] = k
		p.kinds = append(p.kinds, kind{alike: key, single: key.gpus == 1 && !key.grows && key.cpu == 0 && key.mem == 0,
			demand: plan.Demand{GPUs: key.gpus, Type: key.typ, ShareMilli: 1000, CPUMilli: key.cpu, MemMiB: key.mem},
			tables: make([]table, len(p.classes))})
	}
	return k
}

// pop takes the first waiting job out.
func (x *kind) pop() {
	if x.head++; 2*x.head >= len(x.waiting) {
		x.waiting = append(x.waiting[:0], x.waiting[x.head:]...)
		x.head = 0
	}
}
