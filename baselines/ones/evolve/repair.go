package evolve

import (
	"cmp"
	"slices"
)

// prepare lists what repairs read: jobs by what is left to them on one GPU, equal ones as they are
// listed, and few of each. It allocates nothing once warm.
func (s *Search) prepare() {
	s.sumUp()
	s.shortest = s.shortest[:0]
	for i := range s.jobs {
		s.shortest = append(s.shortest, int32(i))
	}
	slices.SortStableFunc(s.shortest, func(a, b int32) int { return cmp.Compare(s.jobs[a].Time, s.jobs[b].Time) })
}

// few is what a repair reads of a job.
type few struct {
	fewest, unit, limit, resume int32
}

// sumUp lists few for each job, and which are new.
func (s *Search) sumUp() {
	s.few, s.fresh = s.few[:0], s.fresh[:0]
	for i := range s.jobs {
		j := &s.jobs[i]
		least := j.least()
		f := few{max(1, j.Least), max(1, j.Unit), j.Limit, max(j.Resume, least)}
		s.few = append(s.few, f)
		if n := j.usable(least); j.New && n > 0 {
			s.fresh = append(s.fresh, fresh{int32(i), n})
		}
	}
}

// fresh is a new job and its least count.
type fresh struct{ job, least int32 }

// usable is Job.usable.
func (f *few) usable(n int32) int32 {
	n = min(n, f.limit)
	if f.unit > 1 {
		n -= n % f.unit
	}
	if n < f.fewest {
		return 0
	}
	return n
}

// refresh cuts counts to what jobs may have and can use, and gives what is free then.
func (s *Search) refresh(counts []int32) (free int32) {
	free = int32(s.slots)
	for i, f := range s.few[:len(counts)] {
		if counts[i] != 0 {
			counts[i] = f.usable(counts[i])
			free -= counts[i]
		}
	}
	return free
}

// repair makes counts of a schedule in which no slot is idle that a job may use: but that a job
// that needs many may wait for more than are free.
func (s *Search) repair(counts []int32) {
	free := s.refresh(counts)
	for _, x := range s.fresh {
		if counts[x.job] == 0 && x.least <= free {
			counts[x.job] = x.least
			free -= x.least
		}
	}
	for _, i := range s.shortest {
		if free <= 0 {
			return
		}
		if counts[i] == 0 {
			f := &s.few[i]
			n := f.usable(min(f.resume, free))
			counts[i] = n
			free -= n
		}
	}
	for _, i := range s.shortest {
		if free <= 0 {
			return
		}
		if counts[i] > 0 {
			n := s.few[i].usable(counts[i] + free)
			free -= n - counts[i]
			counts[i] = n
		}
	}
}

// least is the least count in whole units.
func (j *Job) least() int32 { return (j.Least + j.Unit - 1) / j.Unit * j.Unit }
