package rollout

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/law"
)

// workOf is a job's work, drawn from its law given its progress.
func (s *stage) workOf(v *sim.View, j sim.JobID, of lawOfJob) sim.Time {
	if s.cfg.Exact {
		return sim.Time(v.Job(j).Work())
	}
	ran := v.Run(j).Ran()
	t := beyond(of(j), s.cfg.Spread, ran, s.cfg.Draws.Float64())
	t = math.Max(t, outrun*ran+leastS) // a law may end before the job does
	return sim.Time(math.Min(t*v.Job(j).Width()*1e6, mostWork))
}

// A job that has outrun its law has a tenth of the time that it has run left, and leastS seconds.
// mostWork bounds draws from laws with long tails: 1000 years of one GPU, in microseconds.
const (
	outrun   = 1.1
	leastS   = 1
	mostWork = 3.2e16
)

// areaLeft is the mean GPU time that a job has left, in seconds.
func (s *stage) areaLeft(v *sim.View, j sim.JobID, of lawOfJob) float64 {
	if s.cfg.Exact {
		return v.Run(j).Left() / 1e6
	}
	return of(j).Left(v.Run(j).Ran()) * v.Job(j).Width()
}

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
