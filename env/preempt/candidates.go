package preempt

import (
	"tarry/sim"
)

// candidate is a job that may be evicted, and its key in Dally's order.
type candidate struct {
	id  sim.JobID
	key float64
}

// before reports whether a is listed before b: last in the order first, of equals the first
// submitted.
func (a candidate) before(b candidate) bool {
	if a.key != b.key {
		return a.key > b.key
	}
	return a.id < b.id
}

// candidates are the first `most` jobs that may be evicted.
type candidates struct {
	most int
	jobs []candidate
}

// choose makes the list and gives its length.
func (c *candidates) choose(v *sim.View, s *scheduler) int {
	c.jobs = c.jobs[:0]
	late := v.Now() - s.minRun
	for _, j := range v.Running() {
		if v.Run(j).Since() > late || !s.policy.Evictable(v, j) {
			continue
		}
		x := candidate{j, s.policy.Order(v, j)}
		n := len(c.jobs)
		if n == c.most {
			if !x.before(c.jobs[n-1]) {
				continue
			}
			n--
		} else {
			c.jobs = append(c.jobs, x)
		}
		for ; n > 0 && x.before(c.jobs[n-1]); n-- {
			c.jobs[n] = c.jobs[n-1]
		}
		c.jobs[n] = x
	}
	return len(c.jobs)
}
