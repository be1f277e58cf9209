package plan

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// PenaltyParam describes the setting that Penalty reads, for catalogues.
const PenaltyParam = `penalty    what a preemption adds to the time that the job has left, s; A/B = A for a job that one machine
           can hold, B for a larger one`

// Penalty reads the setting penalty for a Roster: seconds, or A/B for jobs that one machine can
// hold and for larger ones. It is nil when there is none. Faults are noted in the set.
func Penalty(s *param.Set) func(*sim.View, *Demand) sim.Time {
	p := s.Floats("penalty", []float64{0}, 0, 1e9)
	if len(p) > 2 {
		s.Fault("penalty names %d numbers, expected one, or two separated by '/'", len(p))
	}
	within, beyond := sim.Seconds(p[0]), sim.Seconds(p[min(1, len(p)-1)])
	if within == 0 && beyond == 0 {
		return nil
	}
	return func(v *sim.View, d *Demand) sim.Time {
		if int(d.GPUs) <= v.Topology().Capacity(cluster.LevelMachine) {
			return within
		}
		return beyond
	}
}
