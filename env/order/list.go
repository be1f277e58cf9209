package order

import (
	"cmp"
	"math/bits"
	"slices"

	"tarry/baselines/score"
	"tarry/sim"
)

// list is the jobs that an agent is shown.
type list struct {
	most int
	jobs []sim.JobID
	all  []listed // scratch
	mark []uint64 // scratch: which jobs are to be put in order
}

// listed is a job and its rank.
type listed struct {
	job  sim.JobID
	rank float64
}

// choose makes the list of an instant, and reports whether there is something to choose: two jobs
// or more, one of which contests, and something that is free or could be.
func (l *list) choose(v *sim.View, s *scheduler) bool {
	l.jobs = s.policy.Contestants(l.jobs[:0])
	n := len(l.jobs)
	if n == 0 {
		return false
	}
	l.sort(l.jobs)
	for _, j := range v.Running() {
		if s.policy.Evictable(v, j) {
			l.jobs = append(l.jobs, j)
		}
	}
	l.sort(l.jobs[n:])
	if len(l.jobs) < 2 || len(l.jobs) == n && v.Free().Total() == 0 {
		return false
	}
	if over := len(l.jobs) - l.most; over > 0 {
		l.cut(v, s, n)
	}
	return true
}

// sort puts jobs, each of which is there once, in ascending order: by marks where these are few words
// for each job.
func (l *list) sort(jobs []sim.JobID) {
	if len(jobs) < 2 {
		return
	}
	first := slices.Min(jobs) &^ 63
	words := int(slices.Max(jobs)-first)/64 + 1
	if words > 2*len(jobs) {
		slices.Sort(jobs)
		return
	}
	l.mark = slices.Grow(l.mark[:0], words)[:words]
	clear(l.mark)
	for _, j := range jobs {
		l.mark[(j-first)/64] |= 1 << ((j - first) % 64)
	}
	n := 0
	for w, m := range l.mark {
		for ; m != 0; m &= m - 1 {
			jobs[n] = first + sim.JobID(64*w+bits.TrailingZeros64(m))
			n++
		}
	}
}

// cut leaves out the jobs that matter least, so that the list has room: of the n that contest the
// jobs with the largest rank, of the others the jobs with the least.
func (l *list) cut(v *sim.View, s *scheduler, n int) {
	running := len(l.jobs) - n
	keep := max(min(n, l.most/2), l.most-running)
	l.all = l.all[:0]
	var x score.Inputs
	for i, j := range l.jobs {
		s.keys.read.Read(v, j, nil, &x)
		rank := x[score.Rank]
		if i >= n {
			rank = -rank
		}
		l.all = append(l.all, listed{j, rank})
	}
	for _, part := range [][]listed{l.all[:n], l.all[n:]} {
		slices.SortFunc(part, func(a, b listed) int {
			return cmp.Or(cmp.Compare(a.rank, b.rank),
				cmp.Compare(a.job, b.job))
		})
	}
	l.jobs = l.jobs[:0]
	for _, x := range l.all[:keep] {
		l.jobs = append(l.jobs, x.job)
	}
	slices.Sort(l.jobs)
	for _, x := range l.all[n : n+min(running, l.most-keep)] {
		l.jobs = append(l.jobs, x.job)
	}
	slices.Sort(l.jobs[keep:])
}

func (l *list) copyFrom(o *list) {
	l.most, l.jobs = o.most, append(l.jobs[:0], o.jobs...)
}
