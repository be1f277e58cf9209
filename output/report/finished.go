package report

import "slices"

// left reports whether a trial ended with jobs that did not finish: its means are over the others.
func (r *run) left() bool {
	s := &r.row.Summary
	return s.Unfinished > 0 || s.Refused > 0 || s.Rejected > 0
}

// finishedFrac is the share of a group's jobs that finished, in per cent; -1 when all did.
func (one *group1) finishedFrac() float64 {
	var jobs, not int64
	for _, u := range one.units {
		for _, r := range u.runs {
			s := &r.row.Summary
			jobs, not = jobs+s.Jobs, not+s.Unfinished+s.Refused+max(0, s.Rejected)
		}
	}
	if not == 0 || jobs == 0 {
		return -1
	}
	return 100 * float64(jobs-not) / float64(jobs)
}

// anyLeft reports whether any trial has jobs that did not finish.
func (g *groups) anyLeft() bool {
	return slices.ContainsFunc(g.all(), func(one *group1) bool { return one.finishedFrac() >= 0 })
}

// sameJobs reports whether two groups finished the same jobs wherever they met the same ones: only
// then is the difference of their means one of the policies.
func (one *group1) sameJobs(base *group1) bool {
	at := map[string]*run{}
	for _, u := range base.units {
		for _, r := range u.runs {
			at[r.window()] = r
		}
	}
	for _, u := range one.units {
		for _, r := range u.runs {
			if b := at[r.window()]; b != nil && (r.left() || b.left()) && !r.row.Summary.SameJobs(&b.row.Summary) {
				return false
			}
		}
	}
	return true
}
