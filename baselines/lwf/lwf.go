package lwf

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one LWF-kappa scheduler. Build it with New; it belongs to one run.
type Policy struct {
	kappa, most   int
	ada, estimate bool
	threshold     float64 // of AdaDUAL

	queue plan.Queue
	place *plan.Placer
	jobs  []told
	order []int32 // machines, as the last placement had them
	book  book

	// Of a decision: whether load is of now and the order by it, the work left by machine, machines
	// with free GPUs, jobs that are refused, and their kinds since the last start.
	loaded, ordered bool
	load            []float64
	machines        []int32
	held            []sim.JobID
	refused         []kind
}

// kind is jobs that differ by their work alone.
type kind struct {
	demand *plan.Demand
	model  string
}

// told is what the speed model stated of a job where it started: its rate alone, and the part of
// the time in which it communicates then.
type told struct{ rate, comm float64 }

// New makes LWF-kappa; the package comment states what it does. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule)}
	p.kappa = s.Int("kappa", 1, 0, math.MaxInt32)
	p.ada = s.Enum("admit", "ada", "count") == "ada"
	p.most, p.threshold = s.Int("n", 1, 0, math.MaxInt32), 2*(1+s.Float("alpha", 0.2745, 0, 1e9))
	if p.ada && s.Has("n") {
		s.FaultAt("n", "n is given with admit=ada, expected admit=count: AdaDUAL lets in one job beside another")
	} else if !p.ada && s.Has("alpha") {
		s.FaultAt("alpha", "alpha is given with admit=count, expected admit=ada")
	}
	p.estimate = s.Enum("by", "work", "estimate") == "estimate"
	return p, s.Err()
}

// Knows implements sim.Policy.
func (p *Policy) Knows() know.Set {
	if p.estimate {
		return know.Estimate | know.Done | know.Speed
	}
	return know.Work | know.Speed
}

// left is the work that a job has left, as far as it is known.
func (p *Policy) left(v *sim.View, j sim.JobID) float64 {
	if p.estimate {
		return max(0, v.Job(j).Estimate()-v.Run(j).Done())
	}
	return v.Run(j).Left()
}

// time is the seconds for which a job that started would run on alone.
func (p *Policy) time(v *sim.View, j sim.JobID) float64 {
	if p.jobs[j].rate <= 0 {
		return 0
	}
	return p.left(v, j) / 1e6 / p.jobs[j].rate
}

// ask notes what the speed model states of a job alone on GPUs.
func (p *Policy) ask(v *sim.View, j sim.JobID, gpus []cluster.GPU) {
	at := sim.Placement{GPUs: gpus, Idle: true}
	s := v.Predict(j, at)
	x := told{rate: s.Rate, comm: 1 - s.ComputeFrac}
	if s.Rate <= 0 {
		x = told{rate: v.Job(j).Width()}
	}
	if period, ok := v.Links().Period(j, at); ok && period.SoloS() > 0 {
		x.comm = period.TransferS / period.SoloS()
	}
	p.jobs[j] = x
}

// Decide starts every job that fits and is admitted, by ascending work.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.jobs == nil {
		p.jobs = make([]told, v.NumJobs())
		for m := range v.Topology().Machines() {
			p.order = append(p.order, int32(m))
		}
	}
	p.queue.Follow(v, p.left, nil)
	if p.queue.Len() == 0 {
		return out
	}
	p.place.Begin(v)
	p.queue.Open()
	p.loaded, p.book.open, p.held, p.refused = false, false, p.held[:0], p.refused[:0]
	for j := p.queue.Best(); j != sim.NoJob; j = p.queue.Best() {
		d := p.queue.Demand(j)
		if slices.Contains(p.refused, kind{d, v.Job(j).Model()}) { // it has no less to send
			p.hold(j)
			continue
		}
		gpus, ok := p.pick(v, d)
		if !ok {
			p.queue.Close(j)
			continue
		}
		answer := p.judge(v, j, gpus)
		if answer == admitted {
			p.started(v, j, gpus)
			p.queue.Remove(j)
			p.refused = p.refused[:0]
			out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
			continue
		}
		p.place.Give(v, gpus, d)
		if answer == refusedLinks && v.Links().Paths() == 0 { // another job of the demand would go there too
			p.queue.Close(j)
			continue
		}
		if v.Links().Paths() == 0 {
			p.refused = append(p.refused, kind{d, v.Job(j).Model()})
		}
		p.hold(j)
	}
	for _, j := range p.held {
		p.queue.Add(v, j, p.queue.Key(j), 0)
	}
	return out
}

// hold takes a job out of the queue until the end of the decision.
func (p *Policy) hold(j sim.JobID) {
	p.queue.Remove(j)
	p.held = append(p.held, j)
}

// started books a job that starts.
func (p *Policy) started(v *sim.View, j sim.JobID, gpus []cluster.GPU) {
	p.ask(v, j, gpus)
	if p.loaded {
		p.add(v, j, gpus)
	}
	if p.book.open {
		p.book.add(v, j, gpus)
	}
}

// Clone gives an independent copy between two decisions, to resume from a snapshot.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.queue, c.place = p.queue.Clone(), p.place.Clone()
	c.jobs, c.order = slices.Clone(p.jobs), slices.Clone(p.order)
	c.load, c.machines, c.held, c.refused, c.book = nil, nil, nil, nil, book{}
	return &c
}
