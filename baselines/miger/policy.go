package miger

import (
	"slices"

	"tarry/baselines/miger/layout"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one miger-like scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cut     sim.Time
	horizon float64 // microseconds
	least   float64
	floor   float64
	most    int
	pairs   bool
	strict  bool // later jobs take no idle GPU while a gang waits

	place   *plan.Placer
	classes []class
	classAt []int8 // machine -> class, -1 where GPUs cannot be cut
	leanest int64  // the least memory that a GPU has, where it is stated

	kinds  []kind
	index  map[alike]int32
	kindOf []int32 // job
	cellOf []int32 // job -> the GPU whose instance it has, -1 = none
	round  uint32

	cells  []cell // GPU; nil where none can be cut
	active []cluster.GPU
	stamp  uint32
	eased  []cluster.GPU // where a job left at this instant
	barred []string      // GPU types for which a gang waits

	solver  layout.Solver
	matches map[match]pairing
	bests   map[company]choice
	who     [layout.MaxJobs]member
	try     attempt
	gpus    []cluster.GPU // all, to give one as a list
}

// New is miger-like. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), index: map[alike]int32{}, matches: map[match]pairing{},
		bests: map[company]choice{}}
	p.cut = sim.Seconds(s.Float("repartition_s", 5, 0, 1e9))
	p.horizon = s.Float("horizon_s", 300, 0, 1e9) * 1e6
	p.least = s.Float("least", 0.05, 0, 7)
	p.floor = s.Float("floor", 0.5, 0, 1)
	p.most = s.Int("jobs", layout.MaxJobs, 1, layout.MaxJobs)
	p.pairs = s.Bool("pairs", true)
	p.strict = s.Enum("gangs", "fit", "first") == "first"
	return p, s.Err()
}

// Knows declares speeds, and the memory and utilisation of jobs.
func (p *Policy) Knows() know.Set { return know.Speed | know.Profile }

// Decide starts what can be started, and cuts GPUs anew that a job has left.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.classAt == nil {
		p.init(v)
	}
	p.place.Begin(v)
	p.follow(v)
	p.barred = p.barred[:0]
	p.round++
	out = p.host(v, out)
	for k := p.first(); k >= 0; k = p.first() {
		x := &p.kinds[k]
		j := x.waiting[x.head]
		n := len(out)
		if out = p.start(v, k, j, out); len(out) == n {
			x.closed = p.round
			if p.strict && x.demand.GPUs > 1 {
				p.barred = append(p.barred, x.demand.Type)
			}
			continue
		}
		x.pop()
	}
	for _, g := range p.eased {
		out = p.settle(v, g, out)
	}
	p.eased = p.eased[:0]
	return out
}

// follow takes in what happened.
func (p *Policy) follow(v *sim.View) {
	p.extend(v.NumJobs())
	for _, ev := range v.Events() {
		if ev.Kind == sim.Repair { // GPUs that were passed over may be used again
			for i := range p.kinds {
				p.kinds[i].seen = 0
			}
		}
		if ev.Job == sim.NoJob {
			continue
		}
		switch ev.Kind {
		case sim.Finish, sim.Drained, sim.Fail, sim.OutOfMemory:
			p.leave(ev.Job)
		}
		switch ev.Kind {
		case sim.Arrive, sim.Drained, sim.Fail, sim.OutOfMemory:
			if v.Run(ev.Job).State() == sim.Waiting {
				p.wait(v, ev.Job)
			}
		}
	}
}

// extend makes room for jobs, and replicas.
func (p *Policy) extend(n int) {
	for len(p.kindOf) < n {
		p.kindOf, p.cellOf = append(p.kindOf, -1), append(p.cellOf, -1)
	}
}

// first is the kind of the job that comes first among jobs that may still start, -1 if there is
// none: online jobs first, then by arrival.
func (p *Policy) first() int32 {
	best := int32(-1)
	for i := range p.kinds {
		x := &p.kinds[i]
		if x.head == len(x.waiting) || x.closed == p.round {
			continue
		}
		if best >= 0 {
			b := &p.kinds[best]
			if b.online && !x.online || b.online == x.online && b.waiting[b.head] < x.waiting[x.head] {
				continue
			}
		}
		best = int32(i)
	}
	return best
}

// start appends what starts a job, nothing if it cannot start now.
func (p *Policy) start(v *sim.View, k int32, j sim.JobID, out []sim.Decision) []sim.Decision {
	x := &p.kinds[k]
	if !p.bars(x.demand.Type) {
		if gpus, ok := p.idle(v, x); ok {
			return append(out, p.take(v, k, j, gpus))
		}
	}
	if !x.single {
		return out
	}
	return p.join(v, k, j, out)
}

// bars reports whether a gang waits for GPUs of a type, or of any.
func (p *Policy) bars(typ string) bool {
	return slices.ContainsFunc(p.barred, func(t string) bool { return t == typ || t == "" || typ == "" })
}

// idle chooses idle GPUs, with memory enough for a job on one.
func (p *Policy) idle(v *sim.View, x *kind) ([]cluster.GPU, bool) {
	if int64(x.gpuMiB) <= p.leanest || x.demand.GPUs > 1 {
		return p.place.Place(v, &x.demand)
	}
	f := v.Free().Of(x.demand.Type)
	if f == nil || f.Total() == 0 {
		return nil, false
	}
	for g := range cluster.GPU(v.Topology().GPUs()) {
		if f.Has(g) && v.GPUMiBFree(g) >= int64(x.gpuMiB) {
			if one := p.gpus[g : g+1 : g+1]; p.place.Stay(v, one, &x.demand) {
				return one, true
			}
		}
	}
	return nil, false
}

// take is the start of a job on idle GPUs: in the instance that is all of one, so that others may
// come, or uncut.
func (p *Policy) take(v *sim.View, k int32, j sim.JobID, gpus []cluster.GPU) sim.Decision {
	d := sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus, Knobs: sim.Knobs{ShareMilli: 1000}}
	if c := p.classAt[v.Topology().Machine(gpus[0])]; c >= 0 && p.kinds[k].single {
		if all := p.classes[c].all; p.worth(v, c, member{j, k}, p.classes[c].profile(all)) >= 0 {
			p.enter(gpus[0], resident{job: j, kind: k, at: int8(all), share: 1000})
			d.Instance = uint8(all + 1)
		}
	}
	return d
}
