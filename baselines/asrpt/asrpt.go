package asrpt

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// policy is A-SRPT.
type policy struct {
	heavy, delay float64
	early        bool
	put          places.Put // nil = its own rule of places
	rule         cluster.Rule

	virtual machine
	queue   plan.Queue // jobs that are done there, by rank
	place   *plan.Placer
	ranks   []float64 // by job; 0 = not done there yet
	last    float64   // the greatest rank so far
	until   []sim.Time
	empty   *cluster.Free // the cluster without jobs

	// Of a decision: jobs done on the virtual machine, jobs that wait for a better place, and GPUs
	// looked at.
	done, held []sim.JobID
	gpus       []cluster.GPU
	wakes      plan.Alarm
}

// New makes A-SRPT; the package comment states what it does. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &policy{place: plan.NewPlacer(rule), rule: rule}
	p.heavy, p.delay = s.Float("heavy", 1.2, 1, math.Inf(1)), s.Float("delay", 0.1, 0, 1e6)
	p.early = s.Bool("early", true)
	where := places.Read(s)
	if p.put = where.Put(); p.put != nil && (s.Has("heavy") || s.Has("delay")) {
		s.FaultAt("place", "place is given with heavy or delay, expected place=any: they are of the policy's own "+
			"rule of places")
	}
	return where.Paced(p), s.Err()
}

// waits reports whether any job may wait for a better place by the policy's own rule.
func (p *policy) waits() bool { return p.put == nil && p.delay > 0 && !math.IsInf(p.heavy, 1) }

// Knows implements sim.Policy.
func (p *policy) Knows() know.Set {
	if p.waits() {
		return know.Estimate | know.Speed
	}
	return know.Estimate
}

// Decide implements sim.Policy.
func (p *policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.ranks == nil {
		p.virtual = newMachine(v.Topology().GPUs(), v.NumJobs())
		p.ranks, p.until = make([]float64, v.NumJobs()), make([]sim.Time, v.NumJobs())
	}
	p.follow(v)
	next := sim.Never
	if v.Free().Total() > 0 || p.queue.Sharing() {
		out, next = p.serve(v, out)
		if p.early {
			out = p.ahead(v, out)
		}
		next = min(next, p.virtual.next())
	}
	if next == sim.Never { // an instant that was asked for stays
		return out
	}
	return p.wakes.Set(v.Now(), next, out)
}

// follow serves the virtual machine up to now, and takes in the jobs that began to wait.
func (p *policy) follow(v *sim.View) {
	p.done = p.virtual.serve(v.Now(), p.done[:0])
	for _, j := range p.done {
		p.last++
		p.ranks[j] = p.last
		p.queue.Add(v, j, p.last, 0)
	}
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive, sim.Drained, sim.OutOfMemory, sim.Fail:
			j := ev.Job
			if j == sim.NoJob || v.Run(j).State() != sim.Waiting || p.queue.Has(j) {
				continue
			}
			if p.ranks[j] > 0 { // it was stopped
				p.until[j] = 0
				p.queue.Add(v, j, p.ranks[j], 0)
			} else {
				p.virtual.add(j, work(v, j))
			}
		}
	}
}

// work is the predicted work of a job.
func work(v *sim.View, j sim.JobID) int64 {
	if x := math.Round(v.Job(j).Estimate()); x < 1<<60 {
		return max(1, int64(x))
	}
	return 1 << 60
}

// serve starts jobs of the queue in order until one does not have its GPUs. Jobs that wait for a
// better place are passed over; it gives the end of the first such wait.
func (p *policy) serve(v *sim.View, out []sim.Decision) ([]sim.Decision, sim.Time) {
	p.place.Begin(v)
	p.held = p.held[:0]
	next := sim.Never
	for p.queue.Len() > 0 {
		p.queue.Open()
		j := p.queue.Best()
		if p.waits() {
			if until := p.wait(v, j); until > v.Now() {
				next = min(next, until)
				p.queue.Remove(j)
				p.held = append(p.held, j)
				continue
			}
		}
		if out = plan.Start(v, &p.queue, p.place, p.put, j, out); p.queue.Has(j) {
			break
		}
	}
	for _, j := range p.held {
		p.queue.Add(v, j, p.ranks[j], 0)
	}
	return out, next
}

// ahead starts jobs that are not done on the virtual machine yet, with least left there first,
// until one does not have its GPUs. They leave it. Jobs in the queue go first, but for one that
// waits for a better place.
func (p *policy) ahead(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.queue.Len() > len(p.held) {
		return out
	}
	for {
		j, _, ok := p.virtual.left.First()
		if !ok {
			return out
		}
		p.last++
		p.ranks[j] = p.last
		p.queue.Add(v, j, p.last, 0)
		if out = plan.Start(v, &p.queue, p.place, p.put, j, out); p.queue.Has(j) {
			p.queue.Remove(j)
			p.ranks[j] = 0
			return out
		}
		p.virtual.left.Drop(j)
	}
}

// Clone gives an independent copy between two decisions, to resume from a snapshot.
func (p *policy) Clone() sim.Policy {
	c := *p
	c.queue, c.place = p.queue.Clone(), p.place.Clone()
	if p.ranks != nil {
		c.virtual = p.virtual.clone()
	}
	c.ranks, c.until = slices.Clone(p.ranks), slices.Clone(p.until)
	c.done, c.held, c.gpus, c.empty = nil, nil, nil, nil
	return &c
}
