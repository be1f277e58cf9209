package spark

import "tarry/sim/rng"

// Law is how jobs are drawn, like the jobs of the shared reference set.
type Law struct {
	// Jobs is how many there are, of which Initial are there at the start.
	Jobs, Initial int
	// Stages is 1 or 4: with 4, stages 0 and 1 come before 2, and 2 before 3.
	Stages int
	// IntervalMs is the mean time between two arrivals, of a Poisson process.
	IntervalMs float64
}

// Draw draws jobs into memory that the caller has.
func (l *Law) Draw(r *rng.Stream, out []Job) []Job {
	out = grown(out, l.Jobs)
	most, shortest, longest, at := 18, 20, 90, 0.0
	if l.Stages > 1 {
		most, shortest, longest = 10, 20, 60
	}
	for j := range out {
		if j >= l.Initial {
			at += float64(1 + int(r.ExpFloat64()*l.IntervalMs))
		}
		out[j].Arrive = at
		out[j].Stages = grown(out[j].Stages, l.Stages)
		for k := range out[j].Stages {
			s := &out[j].Stages[k]
			s.Tasks = 1 + r.IntN(most)
			s.Rest = float64(100 * (shortest + r.IntN(longest-shortest+1)))
			s.First, s.Fresh, s.Parents = s.Rest+500, s.Rest+1500, s.Parents[:0]
			switch k {
			case 2:
				s.Parents = append(s.Parents, 0, 1)
			case 3:
				s.Parents = append(s.Parents, 2)
			}
		}
	}
	return out
}
