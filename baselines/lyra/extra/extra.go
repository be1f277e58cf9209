// Package extra chooses how many extra workers jobs have beside the workers that they run with, as Lyra
// (Li et al., EuroSys 2023) does: each number of a job weighs its GPUs and has the value of the seconds
// that it takes off the time the job has left; the values together are to be most (internal/knapsack).
package extra

import "tarry/internal/knapsack"

// Job is one that may have extra workers.
type Job struct {
	// Left is the work it has left, in the unit of Speed x s.
	Left float64
	// Base, Most and Unit are GPUs: what it runs with, the most it has, and what a worker has.
	Base, Most, Unit int
	// Speed is by GPUs, up to Most at least; 0 = it cannot run so.
	Speed []float64
	// Extra is what Choose gives it beyond Base, in GPUs.
	Extra int
}

// Chooser chooses extra workers. The zero value is ready.
type Chooser struct {
	solver knapsack.Solver
	counts []int // by item: its GPUs
	first  []int // by job: its first item
}

// Choose sets what each job has of free GPUs, and gives the seconds saved and the GPUs used: most
// seconds, with the fewest GPUs of choices that save as many. With greedy workers are given one by
// one instead, to the job that a GPU saves most seconds.
func (c *Chooser) Choose(free int, jobs []Job, greedy bool) (saved float64, gpus int) {
	c.solver.Open(free)
	c.counts, c.first = c.counts[:0], c.first[:0]
	for i := range jobs {
		c.offer(&jobs[i], free)
	}
	if greedy {
		saved, gpus = c.solver.Greedy()
	} else {
		saved, gpus = c.solver.Solve()
	}
	for i := range jobs {
		jobs[i].Extra = 0
		if at := c.solver.Picked(i); at >= 0 {
			jobs[i].Extra = c.counts[c.first[i]+at]
		}
	}
	return saved, gpus
}

// offer lists the numbers of a job that save time.
func (c *Chooser) offer(j *Job, free int) {
	c.solver.Group()
	c.first = append(c.first, len(c.counts))
	base := j.Speed[j.Base]
	if !(base > 0) {
		return
	}
	for n := j.Unit; n <= free && j.Base+n <= j.Most; n += j.Unit {
		if speed := j.Speed[j.Base+n]; speed > base {
			c.solver.Item(n, j.Left/base-j.Left/speed)
			c.counts = append(c.counts, n)
		}
	}
}
