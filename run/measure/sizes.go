package measure

import (
	"tarry/sim"
	"tarry/sim/end"
)

// sizes counts the resizes of elastic jobs.
type sizes struct {
	jobs, resized, up, down, same int
	// GPU-seconds that elastic jobs held, and of what they ask for in that time
	heldS, askedS float64
	last          map[sim.JobID]int32 // GPUs before a resize whose next allocation has not ended
	some          map[sim.JobID]bool  // of the jobs in the system: it was resized
}

// interval counts an allocation of an elastic job. A resize is counted when the allocation that
// follows it ends.
func (s *sizes) interval(j *sim.Job, i *sim.Interval) {
	if lo, hi := j.Range(); lo == hi {
		return
	}
	n, t := int32(len(i.GPUs)), (i.End - i.Start).Seconds()
	s.heldS += float64(t * float64(n))
	s.askedS += float64(t * float64(j.GPUs))
	if was, ok := s.last[i.Job]; ok {
		delete(s.last, i.Job)
		switch {
		case n > was:
			s.up++
		case n < was:
			s.down++
		default:
			s.same++
		}
		s.some[i.Job] = true
	}
	if i.Reason == end.Resize {
		if s.last == nil {
			s.last, s.some = map[sim.JobID]int32{}, map[sim.JobID]bool{}
		}
		s.last[i.Job] = n
	}
}

// job counts a job that ended, or that the end of the run cut.
func (s *sizes) job(j *sim.Job, r *sim.Record) {
	if lo, hi := j.Range(); lo == hi || r.State == sim.Refused {
		return
	}
	if s.jobs++; s.some[r.Job] {
		s.resized++
		delete(s.some, r.Job)
	}
}

// rows reports nothing where no job is elastic.
func (s *sizes) rows(add Add) {
	if s.jobs == 0 {
		return
	}
	add("elastic_jobs", "", "jobs", float64(s.jobs))
	add("resized_jobs", "", "jobs", float64(s.resized))
	add("resizes", "", "count", float64(s.up+s.down+s.same))
	add("resizes_up", "", "count", float64(s.up))
	add("resizes_down", "", "count", float64(s.down))
	add("gpus_held_over_asked", "", "ratio", s.heldS/s.askedS)
}
