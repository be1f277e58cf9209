package pypolicy

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/plan"
)

// order is what is kept of whole orders: the queue and the planner of orders that preempt.
type order struct {
	queue   plan.Queue
	rebuild plan.Rebuild
	rank    []float64   // by job, of the present order
	queued  []sim.JobID // of the present order
	spare   []sim.JobID
	used    bool // the policy rebuilds
	single  bool // it starts or preempts jobs one by one
	once    bool // it has rebuilt at this instant
}

func (o *order) init() {
	o.rebuild.Key = func(_ *sim.View, j sim.JobID) float64 { return o.at(j) }
}

// at is the place of a job in the order, behind all others where it has none.
func (o *order) at(j sim.JobID) float64 {
	if int(j) < len(o.rank) {
		return o.rank[j]
	}
	return math.Inf(1)
}

func (o *order) begin() { o.once = false }

// end has the planner see failures at an instant at which it was not asked.
func (o *order) end(s *Session) {
	if o.used && !o.once {
		var empty plan.Queue
		o.rebuild.Decide(s.view, &empty, s.place, false, nil)
	}
}

func (o *order) clone() order {
	c := order{queue: o.queue.Clone(), rebuild: o.rebuild.Clone(), rank: slices.Clone(o.rank),
		queued: slices.Clone(o.queued), used: o.used, single: o.single}
	return c
}

var errMixed = errors.New("rebuild beside start, fill, preempt, migrate or resize, expected one way in a policy: " +
	"rebuild plans with the GPUs of all jobs")

// alone holds the two ways of a policy apart.
func (o *order) alone(rebuilds bool) error {
	o.used, o.single = o.used || rebuilds, o.single || !rebuilds
	if o.used && o.single {
		return errMixed
	}
	return nil
}

// fill starts waiting jobs in an order; one that does not fit ends it, or it is passed over with
// the jobs of its demand.
func (s *Session) fill(w []int64) (int, error) {
	rule, err := put(w[2])
	if err != nil {
		return 0, err
	}
	all, err := s.jobs(w)
	if err != nil {
		return 0, err
	}
	if err := s.order.alone(false); err != nil {
		return 0, err
	}
	p, stop, n := s.placer(), w[3] != 0, 0
	s.demands.Open()
	for _, number := range all {
		j := sim.JobID(number)
		d := s.demands.Note(s.view, j)
		if s.view.Free().Total() == 0 && !s.demands.Sharing() {
			break
		}
		if s.demands.Closed(j) {
			continue
		}
		gpus, ok := p.Put(rule, s.view, j, d)
		if !ok && stop {
			break
		}
		if !ok {
			s.demands.Close(j)
			continue
		}
		s.out = append(s.out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
		all[n] = number
		n++
	}
	w[1], w[3] = int64(n), int64(len(s.out)-s.first)
	return fixed + n, nil
}

// rebuild plans all jobs of an order anew: who runs, who waits.
func (s *Session) rebuild(w []int64) (int, error) {
	rule, err := put(w[2])
	if err != nil {
		return 0, err
	}
	all, err := s.jobs(w)
	if err != nil {
		return 0, err
	}
	o := &s.order
	if err := o.alone(true); err != nil {
		return 0, err
	}
	if o.once {
		return 0, errors.New("rebuild twice in a decision, expected once")
	}
	o.once, o.rebuild.Put, s.began = true, rule, true // it begins the plan itself
	if err := s.ranked(all); err != nil {
		return 0, err
	}
	from := len(s.out)
	s.out = o.rebuild.Decide(s.view, &o.queue, s.place, w[3] != 0, s.out)
	n, starts := 0, 0
	for _, kind := range [...]sim.DecisionKind{sim.Start, sim.Preempt} {
		for i := from; i < len(s.out); i++ {
			if s.out[i].Kind == kind {
				w[fixed+n] = int64(s.out[i].Job)
				n++
			}
		}
		if kind == sim.Start {
			starts = n
		}
	}
	w[1], w[2], w[3] = int64(n), int64(starts), int64(len(s.out)-s.first)
	return fixed + n, nil
}

// ranked takes in an order: who waits in it is in the queue, by its place.
func (s *Session) ranked(all []int64) error {
	o := &s.order
	if n := s.view.NumJobs(); len(o.rank) < n {
		o.rank = make([]float64, n)
		for i := range o.rank {
			o.rank[i] = math.Inf(1)
		}
	}
	for _, j := range o.queued {
		o.rank[j] = math.Inf(1)
	}
	was := o.queued
	o.queued = o.spare[:0]
	for i, number := range all {
		j := sim.JobID(number)
		o.rank[j] = float64(i)
		o.queued = append(o.queued, j)
	}
	o.spare = was
	for _, j := range s.running.jobs {
		if math.IsInf(o.rank[j], 1) {
			return fmt.Errorf("running job number %d is not in the order of rebuild, expected all that run", j)
		}
	}
	for _, j := range was {
		if o.queue.Has(j) && (math.IsInf(o.rank[j], 1) || s.view.Run(j).State() != sim.Waiting) {
			o.queue.Remove(j)
		}
	}
	o.queue.Rekey(o.at)
	for _, j := range o.queued {
		switch {
		case s.view.Run(j).State() != sim.Waiting:
			o.queue.Note(s.view, j)
		case !o.queue.Has(j):
			o.queue.Add(s.view, j, o.at(j), 0)
		}
	}
	return nil
}
