package bsbf

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// half is the share of each GPU that both jobs hold where there are two, in thousandths.
const half, whole = 500, 1000

// Policy is one SJF-BSBF scheduler. Build it with New or NewFFS; it belongs to one run.
type Policy struct {
	cfg   config
	place *plan.Placer
	queue
	slow
	floor
	out []sim.Decision
	// met are the jobs that share since this instant, and begun the jobs that were started at it.
	met   []sim.JobID
	begun []start
	trial []offer
	// strict: a job would have stalled beside another.
	strict bool
}

// start is a job that was started at this instant, with the memory that it uses of each GPU.
type start struct {
	job  sim.JobID
	gpus []cluster.GPU
	mib  int32
}

// New gives SJF-BSBF: shares where the pair test finds a gain. The error joins every fault.
// Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return &Policy{cfg: settings(s), place: plan.NewPlacer(rule)}, s.Err()
}

// NewFFS gives SJF-FFS: shares always, the first that fits. The error joins every fault.
// Parameters: FFSParams.
func NewFFS(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{cfg: settings(s), place: plan.NewPlacer(rule)}
	p.cfg.always = true
	return p, s.Err()
}

// Knows declares speeds, alone and in pairs, and how much work is left or estimated to be.
func (p *Policy) Knows() know.Set { return p.cfg.knows() }

// Decide starts waiting jobs in order, on idle GPUs or beside others, and gives GPUs whole to jobs
// that are alone again.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.follow(v, &p.cfg)
	p.out, p.met, p.begun = out, p.met[:0], p.begun[:0]
	p.stale = true
	if p.waiting > 0 {
		p.place.Begin(v)
		for p.pass(v) { // a job that was passed over may share with one that has started since
		}
	}
	p.alone(v)
	out, p.out = p.out, nil
	return out
}

// pass goes once through the waiting jobs. It reports whether another pass may find more.
func (p *Policy) pass(v *sim.View) bool {
	started, over := false, false
	p.open()
	for {
		k := p.best()
		if k == nil {
			return started && over
		}
		j, _, _ := k.heap.First()
		if !p.give(v, k, j) {
			k.closed, over = true, true
			continue
		}
		p.remove(k, j)
		started = true
	}
}

// give starts a job if it fits now: on idle GPUs alone where there are enough, else with residents.
func (p *Policy) give(v *sim.View, k *kind, j sim.JobID) bool {
	f := v.Free().Of(k.demand.Type)
	if f == nil {
		return false
	}
	if int(k.demand.GPUs) <= f.Total() && !p.cfg.jobs {
		if gpus, ok := p.place.Place(v, &k.demand); ok {
			if n := p.cfg.stepsOn(v.Topology(), k, gpus); n > 0 {
				p.start(k, j, gpus, p.cfg.micro(k, n))
				return true
			}
			p.place.Return(v, &k.demand, gpus)
		}
	}
	return p.join(v, k, j)
}

// start starts a job on GPUs that it has alone.
func (p *Policy) start(k *kind, j sim.JobID, gpus []cluster.GPU, set sim.Knobs) {
	p.out = append(p.out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus, Knobs: set})
	p.note(k, j, gpus, set)
}

// note keeps a started job for the jobs that come after it at this instant.
func (p *Policy) note(k *kind, j sim.JobID, gpus []cluster.GPU, set sim.Knobs) {
	mib := k.mib
	if set.GPUMiB > 0 {
		mib = set.GPUMiB
	}
	p.begun = append(p.begun, start{j, gpus, mib})
	p.stale = true
}

// alone gives jobs whose mates have all gone their GPUs whole again.
func (p *Policy) alone(v *sim.View) {
	for _, b := range v.FewerSharers() {
		if v.Run(b).State() != sim.Running || v.Run(b).Knobs().ShareMilli != half || slices.Contains(p.met, b) {
			continue
		}
		k := p.kinds[p.of[b]]
		if k.share == whole && !slices.ContainsFunc(v.Run(b).Held(), func(g cluster.GPU) bool { return v.Sharers(g) > 1 }) {
			p.out = append(p.out, sim.Decision{Kind: sim.Tune, Job: b, Knobs: p.cfg.restored(v, k, b)})
		}
	}
}
