package heet

import (
	"slices"

	"tarry/internal/assign"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one heet-like scheduler. Build it with New; it belongs to one run.
type Policy struct {
	las                  bool
	balance, least, stay float64
	every                sim.Time
	queue                plan.Queue
	place                *plan.Placer
	target               plan.Target
	speeds               speeds
	solver               assign.Solver
	weights              weights
	parts                []part
	waited               []sim.JobID // jobs that the plan of a round took out of the queue
	left                 []int       // GPUs of each type that are free in the plan
	sizes, columns, rows []int
	wants                []plan.Want
	round                plan.Alarm // the next
	changed              bool       // something happened since the last round
}

// New is heet-like. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), speeds: speeds{byName: map[string]*table{}}}
	p.every, p.las = sim.Seconds(s.Float("round", 360, 0, 1e12)), s.Enum("order", "las", "fifo") == "las"
	p.speeds.all = s.Enum("measure", "few", "all") == "all"
	p.balance, p.least, p.stay = s.Float("balance", 0.5, 0, 100), s.Float("least", 0.1, 0, 1),
		s.Float("stay", 0.1, 0, 10)
	return p, s.Err()
}

// Knows declares speeds: measured ones.
func (p *Policy) Knows() know.Set { return know.Speed }

// key ranks jobs for who gets GPUs when not all can.
func (p *Policy) key(v *sim.View, j sim.JobID) float64 {
	if p.las {
		return float64(v.Run(j).Service())
	}
	return 0
}

// Decide plans a round when one is due, and between rounds starts what fits.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.speeds.types == nil {
		p.speeds.types = named(v.Topology().Types())
		p.left = make([]int, len(p.speeds.types))
	}
	for _, ev := range v.Events() {
		p.changed = p.changed || ev.Kind != sim.Timer
	}
	p.queue.Follow(v, p.key, nil)
	due := p.round.Rung(v.Now()) || p.every == 0
	switch {
	case due && (p.queue.Len() > 0 || p.changed && len(v.Running()) > 0):
		p.changed = false
		out = p.plan(v, out)
	case p.queue.Len() > 0:
		out = p.fill(v, out)
	}
	return p.wake(v, out)
}

// named are the types that a job can ask for; "" stands for all GPUs of a cluster without types.
func named(types []string) []string {
	if len(types) == 1 {
		return types
	}
	return slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "" })
}

// alone reports whether a job is placed by itself: it shares a GPU, asks for CPU or memory, or fits
// no type.
func (p *Policy) alone(v *sim.View, j sim.JobID) bool {
	d := p.queue.Demand(j)
	if d.ShareMilli < 1000 || d.CPUMilli > 0 || d.MemMiB > 0 {
		return true
	}
	lo, _ := v.Job(j).Range()
	for r, name := range p.speeds.types {
		if (d.Type == "" || d.Type == name || len(p.speeds.types) == 1) && lo <= v.Topology().OfType(name) &&
			p.speeds.throughput(v, j, r, lo) > 0 {
			return false
		}
	}
	return true
}

// fill starts waiting jobs with their least number of GPUs, on the best type that has them.
func (p *Policy) fill(v *sim.View, out []sim.Decision) []sim.Decision {
	p.place.Begin(v)
	p.queue.Open()
	for {
		j := p.queue.Best()
		if j == sim.NoJob {
			return out
		}
		gpus, ok := p.start(v, j)
		if !ok {
			p.queue.Close(j)
			continue
		}
		p.queue.Remove(j)
		out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
	}
}

func (p *Policy) start(v *sim.View, j sim.JobID) ([]cluster.GPU, bool) {
	d := *p.queue.Demand(j)
	if p.alone(v, j) {
		return p.place.Place(v, &d)
	}
	x := p.newPart(v, j)
	best, most := -1, 0.0
	for r, name := range p.speeds.types {
		f := v.Free().Of(name)
		if t := p.speeds.throughput(v, j, r, x.lo); f != nil && f.Total() >= x.lo && (x.only < 0 || x.only == r) &&
			t > most {
			best, most = r, t
		}
	}
	if best < 0 {
		return nil, false
	}
	d.Type, d.GPUs = p.speeds.types[best], int32(x.lo)
	return p.place.Place(v, &d)
}

func (p *Policy) newPart(v *sim.View, j sim.JobID) part {
	x := part{job: j, typ: -1, had: -1, only: -1}
	if x.lo, x.hi = v.Job(j).Range(); len(p.speeds.types) > 1 {
		x.only = slices.Index(p.speeds.types, p.queue.Demand(j).Type)
		if held := v.Run(j).Held(); len(held) > 0 {
			x.had = slices.Index(p.speeds.types, v.Topology().Type(v.Topology().Machine(held[0])))
		}
	} else if len(v.Run(j).Held()) > 0 {
		x.had = 0
	}
	return x
}
