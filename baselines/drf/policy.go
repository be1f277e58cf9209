package drf

import (
	"tarry/baselines/drf/dominant"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// Policy is one DRF scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cfg     config
	place   *plan.Placer
	demands plan.Queue // the demands of jobs; no job is in it
	tree    *dominant.Tree
	nodes   map[owner]int32 // virtual clusters and users
	tenants []party
	at      []int32 // node of the tree -> tenant, -1 = an inner node
	shapes  []shape
	index   map[plan.Demand]int32
	jobs    []job
	waiting int
	running int
	round   uint32     // of decisions: shapes are closed in one
	waited  plan.Alarm // until a job has waited long enough
	claim   sim.JobID  // waits for the GPUs of jobs that it preempted
	wants   func(leaf int32) bool
	put     places.Put
	victims []sim.JobID
}

type config struct {
	byVC, byUser bool
	kind         dominant.Kind
	preempts     bool
	holds        bool
	wait         sim.Time
}

// owner is a virtual cluster, or with of >= 0 a user below a node.
type owner struct {
	of   int32
	name string
}

// shape is a demand and what it is of each resource.
type shape struct {
	demand plan.Demand
	ask    dominant.Vector
	closed uint32 // the round in which it does not fit
}

// job is what the policy keeps of one.
type job struct{ tenant, shape int32 }

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), nodes: map[owner]int32{}, index: map[plan.Demand]int32{},
		claim: sim.NoJob}
	by := s.Enum("by", "tree", "vc", "user")
	p.cfg.byVC, p.cfg.byUser = by == "vc", by == "user"
	switch s.Enum("tree", "hdrf", "rescaled", "naive") {
	case "rescaled":
		p.cfg.kind = dominant.Rescaled
	case "naive":
		p.cfg.kind = dominant.Naive
	}
	p.cfg.holds = s.Enum("misfits", "pass", "hold") == "hold"
	p.cfg.preempts = s.Bool("preempt", false)
	p.cfg.wait = sim.Seconds(s.Float("wait_s", 15, 0.001, 1e9))
	p.wants = p.wanting()
	where := places.Read(s)
	p.put = where.Put()
	return where.Paced(p), s.Err()
}

// Knows declares nothing: only what jobs ask for counts.
func (p *Policy) Knows() know.Set { return know.Nothing }

// Decide follows events and starts jobs.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.tree == nil {
		p.initialise(v)
	}
	for _, ev := range v.Events() {
		p.follow(v, ev)
	}
	n := len(out)
	out = p.serve(v, out)
	if p.cfg.preempts {
		out = p.reclaim(v, out)
		out = p.wake(v, n, out)
	}
	return out
}

// initialise learns the cluster.
func (p *Policy) initialise(v *sim.View) {
	t := v.Topology()
	total := dominant.Vector{float64(t.GPUs()) * 1000}
	for m := range t.Machines() {
		total[1] += float64(t.CPUMilli(m))
		total[2] += float64(t.MemMiB(m))
	}
	p.tree = dominant.New(total, p.cfg.kind)
	p.at = append(p.at, -1)
	p.jobs = make([]job, v.NumJobs())
}

// follow takes in an event.
func (p *Policy) follow(v *sim.View, ev sim.Event) {
	if ev.Job == sim.NoJob {
		return
	}
	switch ev.Kind {
	case sim.Arrive:
		if v.Run(ev.Job).State() == sim.Waiting {
			p.jobs[ev.Job] = job{p.tenantOf(v, ev.Job), p.shapeOf(v, ev.Job)}
			p.enqueue(ev.Job)
		}
	case sim.Finish:
		p.stop(ev.Job)
	case sim.OutOfMemory, sim.Fail:
		p.stop(ev.Job)
		if v.Run(ev.Job).State() == sim.Waiting {
			p.enqueue(ev.Job)
		}
	case sim.Drained:
		if v.Run(ev.Job).State() == sim.Waiting {
			p.enqueue(ev.Job)
		}
	}
}

// shapeOf gives the demand of a job, a new one if it is the first.
func (p *Policy) shapeOf(v *sim.View, j sim.JobID) int32 {
	d := *p.demands.Note(v, j)
	s, ok := p.index[d]
	if !ok {
		s = int32(len(p.shapes))
		n := float64(d.GPUs)
		ask := dominant.Vector{float64(d.Milli()), float64(n * float64(d.CPUMilli)), float64(n * float64(d.MemMiB))}
		p.shapes = append(p.shapes, shape{demand: d, ask: ask})
		p.index[d] = s
	}
	return s
}

// serve starts jobs, each of the tenant that is next.
func (p *Policy) serve(v *sim.View, out []sim.Decision) []sim.Decision {
	p.place.Begin(v)
	p.round++
	if p.claim != sim.NoJob {
		if p.where(p.claim) {
			if out = p.start(v, p.claim, out); p.where(p.claim) && v.Draining() > 0 {
				return out
			}
		}
		p.claim = sim.NoJob
	}
	for p.waiting > 0 && (v.Free().Total() > 0 || p.demands.Sharing()) {
		leaf := p.tree.Pick(p.wants)
		if leaf == dominant.None {
			break
		}
		j := p.next(&p.tenants[p.at[leaf]])
		if out = p.start(v, j, out); p.cfg.holds && p.where(j) {
			break
		}
	}
	return out
}

// wanting is what makes a leaf one that wants more.
func (p *Policy) wanting() func(leaf int32) bool {
	if p.cfg.holds {
		return func(leaf int32) bool { return p.tenants[p.at[leaf]].oldest() != sim.NoJob }
	}
	return p.hasOpen
}

// next is the job of a tenant that is tried.
func (p *Policy) next(t *party) sim.JobID {
	if p.cfg.holds {
		return t.oldest()
	}
	return t.first(p)
}

// start places a waiting job, or closes its shape.
func (p *Policy) start(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	x := p.jobs[j]
	s := &p.shapes[x.shape]
	gpus, ok := p.place.Put(p.put, v, j, &s.demand)
	if !ok {
		s.closed = p.round
		return out
	}
	t := &p.tenants[x.tenant]
	t.take(x.shape, j)
	p.waiting--
	t.running = append(t.running, j)
	p.running++
	p.tree.Use(t.node, s.ask, 1)
	return append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
}

// stop takes a job that lost its GPUs off the books.
func (p *Policy) stop(j sim.JobID) {
	x := p.jobs[j]
	t := &p.tenants[x.tenant]
	for i := len(t.running) - 1; i >= 0; i-- {
		if t.running[i] == j {
			t.running = append(t.running[:i], t.running[i+1:]...)
			p.running--
			p.tree.Use(t.node, p.shapes[x.shape].ask, -1)
			return
		}
	}
}
