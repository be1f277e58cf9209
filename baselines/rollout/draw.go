package rollout

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/law"
)

// draw fills in the work of the jobs in the system for one sample.
func (p *Planner) draw(v *sim.View) {
	e := &p.epoch
	for _, j := range e.jobs {
		e.work[j] = p.workOf(v, j)
	}
}

// workOf is a job's work, drawn from its law given its progress.
func (p *Planner) workOf(v *sim.View, j sim.JobID) sim.Time {
	if p.cfg.Exact {
		return sim.Time(v.Job(j).Work())
	}
	ran := v.Run(j).Ran()
	s := beyond(p.law(v, j), p.cfg.Spread, ran, p.cfg.Draws.Float64())
	s = math.Max(s, outrun*ran+leastS) // a law may end before the job does
	return sim.Time(math.Min(s*v.Job(j).Width()*1e6, mostWork))
}

// A job that has outrun its law has a tenth of the time that it has run left, and leastS seconds.
// mostWork bounds draws from laws with long tails: 1000 years of one GPU, in microseconds.
const (
	outrun   = 1.1
	leastS   = 1
	mostWork = 3.2e16
)

// areaLeft is the mean GPU time that a job has left, in seconds.
func (p *Planner) areaLeft(v *sim.View, j sim.JobID) float64 {
	if p.cfg.Exact {
		return v.Run(j).Left() / 1e6
	}
	return p.law(v, j).Left(v.Run(j).Ran()) * v.Job(j).Width()
}

// law is the law of a job by the order.
func (p *Planner) law(v *sim.View, j sim.JobID) law.Law { return p.order.Ranker.(Ranker).Law(v, j) }

// beyond is law.Law.Beyond of a law that is c times as wide about its median, in the logarithm.
func beyond(l law.Law, c, ran, u float64) float64 {
	if c == 1 || l.Shape == nil {
		return l.Beyond(ran, u)
	}
	if ran > 0 {
		ran = fixmath.Exp(l.LogMedian + (math.Log(ran)-l.LogMedian)/c)
	}
	return fixmath.Exp(l.LogMedian + float64(c*(math.Log(l.Beyond(ran, u))-l.LogMedian)))
}
