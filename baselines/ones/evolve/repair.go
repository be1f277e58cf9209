package evolve

import (
	"cmp"
	"slices"
)

// sortShortest orders jobs by what is left to them on one GPU, equal ones as they are listed. It
// allocates nothing once warm.
func (s *Search) sortShortest() {
	s.shortest = s.shortest[:0]
	for i := range s.jobs {
		s.shortest = append(s.shortest, int32(i))
	}
	slices.SortStableFunc(s.shortest, func(a, b int32) int { return cmp.Compare(s.jobs[a].Time, s.jobs[b].Time) })
}

// refresh cuts counts to what jobs may have and can use, and gives what is free then.
func (s *Search) refresh(counts []int32) (free int32) {
	free = int32(s.slots)
	for i := range counts {
		counts[i] = s.jobs[i].usable(counts[i])
		free -= counts[i]
	}
	return free
}

// repair makes counts of a schedule in which no slot is idle that a job may use: but that a job
// that needs many may wait for more than are free.
func (s *Search) repair(counts []int32) {
	free := s.refresh(counts)
	for i := range s.jobs {
		if j := &s.jobs[i]; j.New && counts[i] == 0 {
			if n := j.usable(j.least()); n > 0 && n <= free {
				counts[i] = n
				free -= n
			}
		}
	}
	for _, i := range s.shortest {
		if j := &s.jobs[i]; counts[i] == 0 && free > 0 {
			n := j.usable(min(max(j.Resume, j.least()), free))
			counts[i] = n
			free -= n
		}
	}
	for _, i := range s.shortest {
		if free <= 0 {
			return
		}
		if j := &s.jobs[i]; counts[i] > 0 {
			n := j.usable(counts[i] + free)
			free -= n - counts[i]
			counts[i] = n
		}
	}
}

// least is the least count in whole units.
func (j *Job) least() int32 { return (j.Least + j.Unit - 1) / j.Unit * j.Unit }
