package plan

import "tarry/sim"

// Join adds the jobs that wait, for a policy that takes over a run from another one. weight may be nil.
func (q *Queue) Join(v *sim.View, jobs []sim.JobID, key, weight Key) {
	for _, j := range jobs {
		if v.Run(j).State() != sim.Waiting || q.Has(j) {
			continue
		}
		w := 0.0
		if weight != nil {
			w = weight(v, j)
		}
		q.Add(v, j, key(v, j), w)
	}
}

// Adopt takes the jobs that run, or whose checkpoint is being written, for jobs that it started itself:
// for a policy that takes over a run from another one, before its first Decide.
func (b *Rebuild) Adopt(v *sim.View, q *Queue, jobs []sim.JobID) {
	for _, j := range jobs {
		switch v.Run(j).State() {
		case sim.Running:
			q.Note(v, j)
			if b.indexed(v) {
				b.index.fresh = append(b.index.fresh, j)
			} else {
				b.run = append(b.run, ranked{job: j})
			}
		case sim.Draining:
			q.Note(v, j)
			b.draining = append(b.draining, j)
		}
	}
}
