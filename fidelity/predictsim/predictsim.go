// Package predictsim is EASY backfilling (baselines/queueing) as the program of Gaussier, Glesser,
// Reis and Trystram, "Improving backfilling by using machine learning to predict running times", SC
// 2015, runs it: the policy predictsim-easy. It takes the events of an instant one at a time, with
// starts after each: first what arrives, then what ends, in order of the starts. Until a job's end
// is taken in its GPUs count as held, but GPUs of jobs that ended when they were expected to are
// free from the instant's first event on.
//
// Reading guide: predictsim.go takes the events in, serve.go starts jobs and backfills.
package predictsim

import (
	"cmp"
	"slices"

	"tarry/baselines/backfill"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Params describes the settings for the catalogue.
const Params = `fill       order in which jobs are backfilled: arrival | shortest: run time asked for
` + backfill.Params

// Policy is EASY, event by event. It belongs to one run.
type Policy struct {
	guess    backfill.Guess
	shortest bool // backfill the shortest first
	place    *plan.Placer
	queue    plan.Queue    // the demands of the jobs that wait
	waiting  []sim.JobID   // the same jobs in order of arrival
	ends     backfill.Ends // of the jobs that run
	late     int64         // thousandths of GPUs that are free and count as held still
	began    []int64       // by job: how many had started with it
	starts   int64
	ended    []sim.JobID // of the present instant
	behind   []candidate // of the present event
	// The reservation of the first job that waits: when it can start, what it leaves over then in
	// thousandths of GPUs, and its demand.
	shadow sim.Time
	extra  int64
	head   *plan.Demand
}

// New makes EASY as that program runs it. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{guess: backfill.ReadGuess(s), place: plan.NewPlacer(rule)}
	p.shortest = s.Enum("fill", "arrival", "shortest") == "shortest"
	return p, s.Err()
}

// Knows implements sim.Policy.
func (p *Policy) Knows() know.Set { return p.guess.Knows() }

// Decide implements sim.Policy.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.place.Begin(v)
	p.leave(v)
	p.ends.Extend(v.Now())
	served := false
	for _, ev := range v.Events() {
		if !p.enter(v, ev) {
			continue
		}
		if served = true; p.shortest || p.queue.Demand(ev.Job).Milli() <= p.free(v) {
			out = p.serve(v, out)
		}
	}
	slices.SortFunc(p.ended, func(x, y sim.JobID) int { return cmp.Compare(p.began[x], p.began[y]) })
	for _, j := range p.ended {
		if _, ok := p.ends.Drop(j); ok {
			p.late -= p.queue.Demand(j).Milli()
		}
		served, out = true, p.serve(v, out)
	}
	if p.late = 0; !served {
		out = p.serve(v, out)
	}
	return out
}

// leave takes in what ended and what was stopped at this instant. What ended before it was expected
// to counts as held until its own event.
func (p *Policy) leave(v *sim.View) {
	p.late, p.ended = 0, p.ended[:0]
	for _, ev := range v.Events() {
		switch {
		case ev.Job == sim.NoJob:
		case backfill.Stopped(ev):
			p.ends.Drop(ev.Job)
		case ev.Kind == sim.Finish:
			p.ended = append(p.ended, ev.Job)
			if x, ok := p.ends.Drop(ev.Job); ok && x.At > v.Now() {
				p.late += p.queue.Demand(ev.Job).Milli()
				p.ends.Add(x.Job, x.Start, x.At)
			}
		}
	}
}

// enter takes in a job that began to wait and reports whether the event is that.
func (p *Policy) enter(v *sim.View, ev sim.Event) bool {
	switch ev.Kind {
	case sim.Arrive, sim.Drained, sim.OutOfMemory, sim.Fail:
		if ev.Job == sim.NoJob || v.Run(ev.Job).State() != sim.Waiting || p.queue.Has(ev.Job) {
			return false
		}
		p.queue.Add(v, ev.Job, 0, 0)
		at, _ := slices.BinarySearch(p.waiting, ev.Job)
		p.waiting = slices.Insert(p.waiting, at, ev.Job)
		return true
	}
	return false
}

// free is what may be given out, in thousandths of GPUs; shared GPUs aside.
func (p *Policy) free(v *sim.View) int64 { return 1000*int64(v.Free().Total()) - p.late }

// Clone gives an independent copy between two decisions, to resume from a snapshot.
func (p *Policy) Clone() sim.Policy {
	return &Policy{guess: p.guess, shortest: p.shortest, place: p.place.Clone(), queue: p.queue.Clone(),
		waiting: slices.Clone(p.waiting), ends: p.ends.Clone(), began: slices.Clone(p.began), starts: p.starts}
}
