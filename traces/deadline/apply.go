package deadline

import (
	"fmt"
	"slices"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/rng"
)

// draws is the stream that the law's numbers come from.
const draws = "deadlines"

// Apply gives the workload with the law's deadlines.
func (l *Law) Apply(w *sim.Workload, src rng.Source) (*sim.Workload, error) {
	jobs, s := slices.Clone(w.Jobs), src.Stream(draws)
	for i := range jobs {
		l.job(&jobs[i], s)
	}
	what := fmt.Sprintf("law %s, drawn from stream %q: arrival + a factor x run time alone", l, draws)
	if l.None() {
		what = "none"
	}
	return sim.NewWorkload(w.Name, jobs, append(slices.Clone(w.Origins),
		origin.Origin{Field: "deadline", Source: what})...)
}

// Stream gives the jobs of a stream the deadlines that Apply gives them.
func (l *Law) Stream(in sim.Stream, src rng.Source) sim.Stream {
	return &stream{in, l, src.Stream(draws)}
}

type stream struct {
	sim.Stream
	law  *Law
	draw *rng.Stream
}

func (s *stream) Next(j *sim.Job) bool {
	if !s.Stream.Next(j) {
		return false
	}
	s.law.job(j, s.draw)
	return true
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
