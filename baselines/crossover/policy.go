package crossover

import (
	"maps"
	"slices"

	"tarry/internal/assign"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// Params describes the settings for the catalogue.
const Params = places.Params + `
matching   blossom: pairs of the largest total saving | greedy: the best pair first
min_saved  part of the time of both that a pair saves at least, 0..1
window     waiting jobs that are looked at`

// Policy is one scheduler. Build it with New; it belongs to one run.
type Policy struct {
	greedy bool
	least  float64
	window int

	queue plan.Queue
	place *plan.Placer
	put   places.Put  // of jobs that have GPUs alone; nil = any
	line  []sim.JobID // distributed jobs that wait, in order of arrival
	hosts map[sim.JobID]*host

	judged judged

	// Scratch.
	matcher       assign.Matcher
	alone         []sim.JobID
	front         []sim.JobID
	fresh, every  []int // in front: jobs that were not looked at before, and all
	edges         []assign.Edge
	paired, tried []bool // of jobs alone, then of jobs in front
	taken         []int  // machines on which a job with CPU or memory joins at this instant
}

// New reads the parameters. The error joins every fault.
//
//  1. Waiting jobs start in order of arrival on free GPUs; jobs that do not fit are passed over.
//  2. With c seconds of computing and m seconds of exchange per iteration a pair takes P =
//     max(c1+c2, c1+m1, c2+m2); the saving is 1 - P / (c1+m1+c2+m2).
//  3. Distributed jobs that wait join running jobs of equal width that have their GPUs alone: a
//     matching of largest total saving, of savings of at least min_saved.
//  4. A pair lasts until one of the two ends; no job is preempted.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{greedy: s.Enum("matching", "blossom", "greedy") == "greedy", least: s.Float("min_saved", 0.1, 0, 1),
		window: s.Int("window", 64, 1, 1<<16),
		place:  plan.NewPlacer(rule), hosts: map[sim.JobID]*host{}}
	where := places.Read(s)
	p.put = where.Put()
	return where.Paced(p), s.Err()
}

// Knows declares speeds, telemetry and memory.
func (p *Policy) Knows() know.Set { return know.Speed | know.Progress | know.Profile }

// Decide starts jobs on free GPUs in order, and then beside others.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = plan.RaiseShares(v, out)
	for _, e := range v.Events() {
		switch e.Kind {
		case sim.Finish:
			delete(p.hosts, e.Job)
		case sim.Arrive, sim.Drained, sim.Fail, sim.OutOfMemory:
			if e.Job != sim.NoJob && v.Run(e.Job).State() == sim.Waiting {
				delete(p.hosts, e.Job)
				p.wait(v, e.Job)
			}
		}
	}
	p.queue.Follow(v, arrival, nil)
	if p.queue.Len() == 0 {
		return out
	}
	before := len(out)
	out = plan.Fill(v, &p.queue, p.place, p.put, out)
	for _, d := range out[before:] {
		p.leave(d.Job)
	}
	return p.pair(v, out)
}

// arrival is the key of the queue: ties are by order of arrival.
func arrival(*sim.View, sim.JobID) float64 { return 0 }

// wait puts a distributed job in line; one for a part of a GPU has no company.
func (p *Policy) wait(v *sim.View, j sim.JobID) {
	if v.Job(j).GPUs() < 2 || v.Job(j).Width() < float64(v.Job(j).GPUs()) {
		return
	}
	if i, in := slices.BinarySearch(p.line, j); !in {
		p.line = slices.Insert(p.line, i, j)
	}
}

func (p *Policy) leave(j sim.JobID) {
	if i, in := slices.BinarySearch(p.line, j); in {
		p.line = slices.Delete(p.line, i, i+1)
	}
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.queue, c.place, c.line, c.matcher = p.queue.Clone(), p.place.Clone(), slices.Clone(p.line), assign.Matcher{}
	c.alone, c.front, c.fresh, c.every, c.edges = slices.Clone(p.alone), slices.Clone(p.front), nil, nil, nil
	c.paired, c.tried, c.taken = nil, nil, nil
	c.judged.alone, c.judged.front = nil, nil
	c.hosts = make(map[sim.JobID]*host, len(p.hosts))
	for j, h := range p.hosts {
		c.hosts[j] = &host{own: h.own, others: maps.Clone(h.others)}
	}
	return &c
}
