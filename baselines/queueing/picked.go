package queueing

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// picked starts the waiting job with the lowest score, and no other one until that fits.
type picked struct {
	easy    // the reservation, made once for each pick
	know    sim.Knowledge
	score   Score
	fill    bool
	waiting []sim.JobID // in order of arrival, without the job that is held
	held    sim.JobID
	running []sim.JobID // in order of start
	ended   []sim.JobID // at this instant, in order of start; late is what those of them have that are not taken in yet
}

// NewPicked picks the waiting job with the lowest score and holds to it: nothing else starts until it fits, whatever arrives in
// the meantime. This is the protocol of Zhang et al., "RLScheduler", SC 2020, in which learned and hand-made scores are compared.
// Jobs are not preempted. With backfill=fcfs, while the picked job waits, other jobs start in order of arrival if they fit and
// their estimated end lies before the picked job's earliest start, which is computed from the estimates when it is picked
// and not again. Parameters: PickedParams.
//
// A score is computed at each pick for each waiting job, since it may depend on the time. The events of one instant are taken in
// one at a time, as published: arrivals in their order, then ends in order of the jobs' starts, with starts after each.
func NewPicked(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &picked{easy: easy{place: plan.NewPlacer(rule)}, held: sim.NoJob}
	order, slip := s.Enum("order", "fcfs", "sjf", "wfp3", "unicep", "f1"), s.Bool("slip", false)
	p.fill = s.Enum("backfill", "none", "fcfs") == "fcfs"
	if p.score = scoreOf(order, slip); order != "fcfs" || p.fill {
		p.know = sim.KnowEstimate
	}
	return p, s.Err()
}

// PickedParams describes the settings of picked for the catalogue.
const PickedParams = `order      score, lowest first: fcfs | sjf: run time asked for | wfp3 | unicep | f1 (fcfs)
backfill   none | fcfs: while the picked job waits, jobs that end before its earliest start, in order of arrival (none)
slip       true: wfp3 and unicep take -1 s - submit for the wait, as the program behind RLScheduler's tables does (false)`

// Knows implements sim.Policy.
func (p *picked) Knows() sim.Knowledge { return p.know }

// Decide implements sim.Policy.
func (p *picked) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.place.Begin(v)
	p.leave(v)
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive, sim.Drained, sim.Fail:
			if ev.Job != sim.NoJob && v.State(ev.Job) == sim.Waiting && !p.queue.Has(ev.Job) {
				p.queue.Add(v, ev.Job, 0, 0)
				p.waiting = append(p.waiting, ev.Job)
				out = p.step(v, out)
			}
		}
	}
	for _, j := range p.ended {
		p.late -= p.queue.Demand(j).Milli()
		p.ends.drop(j)
		out = p.step(v, out)
	}
	return p.step(v, out)
}

// leave notes the jobs that ended at this instant, in order of their starts. Those that a fault stopped hold nothing at once.
func (p *picked) leave(v *sim.View) {
	p.ended, p.late = p.ended[:0], 0
	kept := p.running[:0]
	for _, j := range p.running {
		if v.State(j) == sim.Running {
			kept = append(kept, j)
		} else if v.State(j) == sim.Done {
			p.ended = append(p.ended, j)
			p.late += p.queue.Demand(j).Milli()
		} else {
			p.ends.drop(j)
		}
	}
	p.running = kept
}

// step starts what is picked for as long as it fits, then what may start behind it.
func (p *picked) step(v *sim.View, out []sim.Decision) []sim.Decision {
	for {
		fresh := p.held == sim.NoJob
		if fresh {
			if p.held = p.pick(v); p.held == sim.NoJob {
				return out
			}
		}
		if out = p.begin(v, p.held, out); !p.queue.Has(p.held) {
			p.held = sim.NoJob
			continue
		}
		if !p.fill {
			return out
		}
		if fresh {
			p.reserve(v, p.held)
		}
		return p.behind(v, out)
	}
}

// begin starts a job if it fits.
func (p *picked) begin(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	if d := p.queue.Demand(j); d.Milli() > 1000*int64(v.Free().Total())-p.late && p.late > 0 {
		return out
	}
	if out = plan.Start(v, &p.queue, p.place, j, out); !p.queue.Has(j) {
		p.running = append(p.running, j)
		if p.fill {
			p.ends.add(j, v.Now(), v.Now()+estimate(v, j))
		}
	}
	return out
}

// pick takes the job with the lowest score out of those that wait; the first to arrive of equal ones.
func (p *picked) pick(v *sim.View) sim.JobID {
	best, least := -1, 0.0
	for i, j := range p.waiting {
		if s := p.score(v, j); best < 0 || s < least || s == least && j < p.waiting[best] {
			best, least = i, s
		}
	}
	if best < 0 {
		return sim.NoJob
	}
	j := p.waiting[best]
	p.waiting = slices.Delete(p.waiting, best, best+1)
	return j
}

// behind starts jobs that by their estimates end before the picked job can start.
func (p *picked) behind(v *sim.View, out []sim.Decision) []sim.Decision {
	kept := p.waiting[:0]
	for _, j := range p.waiting {
		if v.Now()+estimate(v, j) < p.shadow {
			if out = p.begin(v, j, out); !p.queue.Has(j) {
				continue
			}
		}
		kept = append(kept, j)
	}
	p.waiting = kept
	return out
}
