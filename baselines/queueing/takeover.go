package queueing

import "tarry/sim"

// TakesOver reports that the policy can take over a run from another one; see over.Taker.
func (l *line) TakesOver() bool { return true }

// TakeOver takes in the jobs that wait: running jobs run on.
func (l *line) TakeOver(v *sim.View, jobs []sim.JobID, out []sim.Decision) []sim.Decision {
	l.queue.Join(v, jobs, l.key, nil)
	return out
}

// TakesOver reports that the policy can take over a run from another one; see over.Taker.
func (r *remaining) TakesOver() bool { return true }

// TakeOver takes in the jobs that wait or run.
func (r *remaining) TakeOver(v *sim.View, jobs []sim.JobID, out []sim.Decision) []sim.Decision {
	if r.byLaw && len(jobs) > 0 {
		r.askLaw(v, jobs[0])
	}
	r.queue.Join(v, jobs, r.rebuild.Key, nil)
	r.rebuild.Adopt(v, &r.queue, jobs)
	return out
}

// TakesOver reports that the policy can take over a run from another one; see over.Taker.
func (l *las) TakesOver() bool { return true }

// TakeOver takes in the jobs that wait or run, and begins with a round.
func (l *las) TakeOver(v *sim.View, jobs []sim.JobID, out []sim.Decision) []sim.Decision {
	l.queue.Join(v, jobs, l.rebuild.Key, l.rebuild.Weight)
	l.rebuild.Adopt(v, &l.queue, jobs)
	l.begins = true
	return out
}
