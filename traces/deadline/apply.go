package deadline

import (
	"fmt"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/rng"
)

// draws is the stream that the law's numbers come from.
const draws = "deadlines"

// Apply gives the workload with the law's deadlines.
func (l *Law) Apply(w *sim.Workload, src rng.Source) (*sim.Workload, error) {
	what := fmt.Sprintf("law %s, drawn from stream %q: arrival + a factor x run time alone", l, draws)
	if l.None() {
		what = "none"
	}
	return w.Each(l.Changes(src), origin.Origin{Field: "deadline", Source: what})
}

// Changes gives what sets the deadline of one job after the other, in the order of a workload.
func (l *Law) Changes(src rng.Source) func(*sim.Job) {
	s := src.Stream(draws)
	return func(j *sim.Job) { l.job(j, s) }
}

// job sets the deadline of one job. It draws two numbers.
func (l *Law) job(j *sim.Job, s *rng.Stream) {
	u, has := s.Float64(), s.Float64() < l.Fraction
	if l.Keep && j.Deadline > 0 {
		return
	}
	if j.Deadline = 0; !has {
		return
	}
	factor := float64(l.Tightness * (l.Min + float64((l.Max-l.Min)*u)))
	j.Deadline = j.Submit + max(1, sim.Seconds(float64(factor*j.Work.Seconds())/j.Width()))
	j.Drawn |= origin.Deadline
}
