package similarity

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/models"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// Policy is one similarity-like scheduler. Build it with New; it belongs to one run.
type Policy struct {
	mean, block bool
	notes       notes
	queue       plan.Queue
	place       *plan.Placer
	where       places.Put  // nil = any
	ask         plan.Demand // of the job that is placed
	ranks       []rank
	stalled     []sim.JobID
}

// rank is a type and how fast a job is expected to be on it.
type rank struct {
	typ   int
	speed float64
}

// New is similarity-like. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), notes: notes{set: models.NewSet(models.Catalogue()...),
		index: map[string]int{}}}
	p.mean, p.block = s.Enum("unseen", "similar", "mean") == "mean", s.Bool("block", false)
	where := places.Read(s)
	p.where = where.Put()
	return where.Paced(p), s.Err()
}

// Knows declares nothing: speeds are seen when jobs run.
func (p *Policy) Knows() know.Set { return know.Nothing }

// Decide starts the jobs that fit, in order of arrival, each on the best of its types that has
// room.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.stalled = p.notes.look(v, p.stalled[:0])
	p.queue.Follow(v, arrival, nil)
	p.place.Begin(v)
	for _, j := range p.stalled {
		out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
		if v.Run(j).CheckpointTime() == 0 { // it waits at once
			p.place.Vacate(v, j, p.queue.Demand(j))
			p.queue.Add(v, j, 0, 0)
		}
	}
	p.queue.Open()
	out = p.start(v, out)
	if p.notes.doubtful(v) { // it is looked at before long, whatever else happens
		out = append(out, sim.Decision{Kind: sim.WakeAt, At: v.Now() + sim.Second})
	}
	return out
}

// start starts jobs in order.
func (p *Policy) start(v *sim.View, out []sim.Decision) []sim.Decision {
	for {
		j := p.queue.Best()
		if j == sim.NoJob {
			return out
		}
		gpus, ok := p.put(v, j)
		switch {
		case ok:
			p.queue.Remove(j)
			if p.queue.Demand(j).ShareMilli == 1000 {
				p.notes.began(v, j, gpus)
			}
			out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
		case p.block:
			return out
		default:
			p.queue.Close(j)
		}
	}
}

// arrival ranks by the JobID alone, which is the order of (submit, id).
func arrival(*sim.View, sim.JobID) float64 { return 0 }

// put places a job on the best type with room for it.
func (p *Policy) put(v *sim.View, j sim.JobID) ([]cluster.GPU, bool) {
	p.ask = *p.queue.Demand(j)
	d := &p.ask
	id, top := p.notes.id(v, v.Job(j).Model()), v.Topology()
	if d.Type != "" || len(p.notes.types) == 1 {
		return p.place.Put(p.where, v, j, d)
	}
	p.ranks = p.ranks[:0]
	held := false
	for t, name := range p.notes.types {
		if top.Carries(cluster.PerGPU{Type: name, CPUMilli: d.CPUMilli, MemMiB: d.MemMiB}, int(d.GPUs)) >= int(d.GPUs) {
			held = true
			if speed := p.notes.estimate(id, t, p.mean); speed > 0 {
				p.ranks = append(p.ranks, rank{t, speed})
			}
		}
	}
	if !held { // no type can ever hold it
		return p.place.Put(p.where, v, j, d)
	}
	slices.SortStableFunc(p.ranks, func(a, b rank) int {
		switch {
		case a.speed > b.speed:
			return -1
		case a.speed < b.speed:
			return 1
		}
		return 0
	})
	for _, r := range p.ranks {
		d.Type = p.notes.types[r.typ] // machines without a type cannot be asked for: there it is any
		if gpus, ok := p.place.Put(p.where, v, j, d); ok {
			return gpus, true
		}
	}
	return nil, false
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.notes, c.queue, c.place, c.ranks = p.notes.clone(), p.queue.Clone(), p.place.Clone(), nil
	c.stalled = nil
	return &c
}
