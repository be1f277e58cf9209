package queueing

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// DeadlineParams describes the settings of deadline-first for the catalogue.
const DeadlineParams = `preempt    true: at every event the running set is rebuilt in the order of deadlines; false: a job that runs is never stopped
admission  off: every job is served | on: a waiting job is turned away once it cannot end by its deadline even if it ran from
           now on at full speed, which reads the work that is left
` + places.Params

// deadlineFirst serves the earliest deadline first, or another key, with the GPUs that each job asks
// for.
type deadlineFirst struct {
	know             know.Set
	preempts, admits bool
	latestStart      func(v *sim.View, j sim.JobID) sim.Time
	queue            plan.Queue
	place            *plan.Placer
	rebuild          plan.Rebuild
	starts           latest // of waiting jobs, where some are turned away
}

// NewDeadlineFirst is earliest deadline first for rigid gangs, passing over misfits; jobs without a
// deadline come last, by arrival. Jackson, "Scheduling a production line to minimize maximum
// tardiness", UCLA 1955: on one server, for jobs that come together, no order has a smaller
// greatest lateness; with preemption it meets all deadlines wherever any order does (Horn, Naval
// Research Logistics Quarterly 21, 1974). With gangs it is a heuristic, and in overload late jobs
// hold up the others: admission=on takes them away. Parameters: DeadlineParams.
//
//  1. At each event all jobs stand by deadline, the earliest first; jobs without a deadline come
//     last, by arrival.
//  2. Down that list each job is chosen whose GPUs fit in what is left of the cluster; the others
//     are preempted.
//  3. admission=on: a job that cannot end in time any more is turned away.
func NewDeadlineFirst(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &deadlineFirst{preempts: s.Bool("preempt", true), admits: s.Enum("admission", "off", "on") == "on",
		place: plan.NewPlacer(rule), latestStart: latestStart}
	if p.admits {
		p.know = know.Work
	}
	where := places.Read(s)
	p.rebuild = plan.Rebuild{Key: byDeadline, Falls: true, Put: where.Refusing()}
	return where.Paced(p), s.Err()
}

func byDeadline(v *sim.View, j sim.JobID) float64 { return float64(v.Job(j).Deadline()) }

// Knows implements sim.Policy: deadlines are public.
func (p *deadlineFirst) Knows() know.Set { return p.know }

// Decide implements sim.Policy.
func (p *deadlineFirst) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.queue.Follow(v, p.rebuild.Key, nil)
	if p.admits {
		out = p.turnAway(v, out)
	}
	if !p.preempts {
		return plan.Fill(v, &p.queue, p.place, p.rebuild.Put, out)
	}
	from := len(out)
	out = p.rebuild.Decide(v, &p.queue, p.place, true, out)
	for i := from; i < len(out) && p.admits; i++ {
		if out[i].Kind == sim.Preempt {
			p.starts.push(start{p.latestStart(v, out[i].Job), out[i].Job})
		}
	}
	return out
}

// turnAway rejects the waiting jobs whose latest start has passed.
func (p *deadlineFirst) turnAway(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		if ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting {
			p.starts.push(start{p.latestStart(v, ev.Job), ev.Job})
		}
	}
	for len(p.starts) > 0 && p.starts[0].at < v.Now() {
		j := p.starts.pop()
		if p.queue.Has(j) && p.latestStart(v, j) < v.Now() { // else it ran meanwhile, and has another start
			p.queue.Remove(j)
			out = append(out, sim.Decision{Kind: sim.Reject, Job: j})
		}
	}
	return out
}

// latestStart is when a job must run from, at full speed, to end by its deadline; Never without
// one.
func latestStart(v *sim.View, j sim.JobID) sim.Time {
	return before(v, j, v.Run(j).Left()/v.Job(j).Width())
}

// before is the deadline of a job less some microseconds; Never without a deadline.
func before(v *sim.View, j sim.JobID, us float64) sim.Time {
	due := v.Job(j).Deadline()
	if due == sim.Never {
		return due
	}
	return due - sim.Time(math.Ceil(us-1e-3)) // the kernel forgives as much
}

// start is a job and when it must run from.
type start struct {
	at  sim.Time
	job sim.JobID
}

func (a start) before(b start) bool { return a.at < b.at || a.at == b.at && a.job < b.job }

// latest is a heap of starts, the earliest first.
type latest []start

func (h *latest) push(s start) {
	if s.at == sim.Never {
		return
	}
	*h = append(*h, s)
	x := *h
	for i := len(x) - 1; i > 0 && x[i].before(x[(i-1)/2]); i = (i - 1) / 2 {
		x[i], x[(i-1)/2] = x[(i-1)/2], x[i]
	}
}

func (h *latest) pop() sim.JobID {
	x := *h
	job, n := x[0].job, len(x)-1
	x[0] = x[n]
	x = x[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c+1 < n && x[c+1].before(x[c]) {
			c++
		}
		if c >= n || !x[c].before(x[i]) {
			break
		}
		x[i], x[c] = x[c], x[i]
		i = c
	}
	*h = x
	return job
}
