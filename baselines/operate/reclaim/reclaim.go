// Package reclaim chooses which of the machines that are lent to jobs are taken back.
//
//  1. A job that keeps Least GPUs when a machine is taken gives up its GPUs there and stays running. Another
//     one is a base job of that machine: it is preempted, and leaves all its machines.
//  2. Free takes machines that are empty, then machines without a base job.
//  3. A Rule takes the rest: the fewest base jobs at the outset (Count), the least cost (Cost), the
//     latest end (Latest), one at random (Random), or the set with the fewest preempted jobs (Best).
//
// The cost of a machine is the server preemption cost of Aryl (Li et al., arXiv 2202.07896) and Lyra
// (Li et al., EuroSys 2023), from a description: the sum of 1 / machines of the job, over base jobs,
// anew after each machine that is taken. Equals are taken by the number of the machine.
package reclaim

import (
	"math"

	"tarry/sim/rng"
)

// Hold is what a job has on one machine that is lent.
type Hold struct{ Machine, GPUs int32 }

// Job is a job on machines that are lent.
type Job struct {
	// Holds are its GPUs on machines that are lent, by machine.
	Holds []Hold
	// GPUs and Machines are what it has in all.
	GPUs, Machines int32
	// Least is the fewest GPUs on which it can run; GPUs for a job of one size.
	Least int32
	// Ends is when it is thought to end; Latest alone reads it.
	Ends int64
}

// Rule states which machines are taken.
type Rule uint8

// The rules.
const (
	// Idle takes machines without base jobs alone.
	Idle Rule = iota
	// Count takes machines with the fewest base jobs at the outset.
	Count
	// Cost takes machines of least cost.
	Cost
	// Random takes machines at random.
	Random
	// Best takes the set with the fewest preempted jobs, then with the fewest GPUs lost.
	Best
	// Latest takes the machine whose last job ends latest.
	Latest
)

// Names are the rules as settings have them, in the order of the constants.
func Names() []string { return []string{"idle", "count", "cost", "random", "best", "latest"} }

// tie is how much less a cost must be: sums in another order are equal.
const tie = 1e-9

// Chooser chooses on one problem after another. The zero value is ready.
type Chooser struct {
	jobs   []Job
	on     [][]int32 // machine -> jobs there
	held   []int32   // job -> GPUs that it has still; 0 = preempted
	parts  []int32   // job -> machines that it has still
	taken  []bool    // machine -> taken
	counts []int     // machine -> base jobs at the outset
	trial  search
}

// Load begins a problem: machines 0..n-1 are lent to jobs, which are not changed.
func (c *Chooser) Load(machines int, jobs []Job) {
	c.jobs = jobs
	c.on = grow(c.on, machines)
	for m := range c.on {
		c.on[m] = c.on[m][:0]
	}
	c.held, c.parts = grow(c.held, len(jobs)), grow(c.parts, len(jobs))
	c.taken = grow(c.taken, machines)
	clear(c.taken)
	for j := range jobs {
		c.held[j], c.parts[j] = jobs[j].GPUs, jobs[j].Machines
		for _, h := range jobs[j].Holds {
			c.on[h.Machine] = append(c.on[h.Machine], int32(j))
		}
	}
}

// grow gives n elements, whose contents mean nothing.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		old := s
		s = make([]T, n)
		copy(s, old[:cap(old)])
	}
	return s[:n]
}

// at is what a job has on a machine.
func (c *Chooser) at(j, m int32) int32 {
	for _, h := range c.jobs[j].Holds {
		if h.Machine == m {
			return h.GPUs
		}
	}
	return 0
}

// base reports whether a job is a base job of a machine that it is on.
func (c *Chooser) base(j, m int32) bool {
	return c.held[j] > 0 && c.held[j]-c.at(j, m) < c.jobs[j].Least
}

// Of counts the base jobs of a machine, and gives its cost.
func (c *Chooser) Of(m int32) (count int, cost float64) {
	for _, j := range c.on[m] {
		if c.base(j, m) {
			count++
			cost += 1 / float64(max(1, c.parts[j]))
		}
	}
	return count, cost
}

// Empty reports whether no job is left on a machine.
func (c *Chooser) Empty(m int32) bool {
	for _, j := range c.on[m] {
		if c.held[j] > 0 {
			return false
		}
	}
	return true
}

// Take takes a machine: its base jobs are preempted, others give up their GPUs there.
func (c *Chooser) Take(m int32) {
	c.taken[m] = true
	for _, j := range c.on[m] {
		switch {
		case c.held[j] == 0:
		case c.base(j, m):
			c.held[j] = 0
		default:
			c.held[j] -= c.at(j, m)
			c.parts[j]--
		}
	}
}

// Preempted reports whether a job is preempted by what was taken.
func (c *Chooser) Preempted(j int) bool { return c.held[j] == 0 }

// Free takes up to k machines that no job needs and appends them: empty ones with the highest number
// first, then ones on which all jobs can do with less, with the lowest first.
func (c *Chooser) Free(k int, dst []int32) []int32 {
	for m := len(c.taken) - 1; m >= 0 && k > 0; m-- {
		if !c.taken[m] && c.Empty(int32(m)) {
			c.Take(int32(m))
			dst, k = append(dst, int32(m)), k-1
		}
	}
	for m := 0; m < len(c.taken) && k > 0; m++ {
		if count, _ := c.Of(int32(m)); !c.taken[m] && count == 0 {
			c.Take(int32(m))
			dst, k = append(dst, int32(m)), k-1
		}
	}
	return dst
}

// Choose takes k more machines by a rule, as far as there are as many, and appends them. The stream
// is for Random.
func (c *Chooser) Choose(rule Rule, k int, draws *rng.Stream, dst []int32) []int32 {
	if rule == Best {
		return c.best(k, dst)
	}
	c.counts = grow(c.counts, len(c.taken))
	for m := range c.counts {
		c.counts[m], _ = c.Of(int32(m))
	}
	for ; k > 0; k-- {
		m := c.next(rule, draws)
		if m < 0 {
			break
		}
		c.Take(m)
		dst = append(dst, m)
	}
	return dst
}

// latest is when the last job on a machine ends.
func (c *Chooser) latest(m int32) int64 {
	last := int64(math.MinInt64)
	for _, j := range c.on[m] {
		if c.held[j] > 0 {
			last = max(last, c.jobs[j].Ends)
		}
	}
	return last
}

// next gives the machine that a rule takes; -1 = there is none.
func (c *Chooser) next(rule Rule, draws *rng.Stream) int32 {
	if rule == Random {
		return c.draw(draws)
	}
	best, least := int32(-1), math.Inf(1)
	for m := range c.taken {
		if c.taken[m] {
			continue
		}
		count, cost := c.Of(int32(m))
		switch rule {
		case Idle:
			if count > 0 {
				continue
			}
		case Count:
			cost = float64(c.counts[m])
		case Latest:
			cost = -float64(c.latest(int32(m)))
		}
		if best < 0 || cost < least-tie {
			best, least = int32(m), cost
		}
	}
	return best
}

// draw gives a machine that is left, each as likely; -1 = there is none.
func (c *Chooser) draw(draws *rng.Stream) int32 {
	left := 0
	for _, t := range c.taken {
		if !t {
			left++
		}
	}
	if left == 0 {
		return -1
	}
	k := draws.IntN(left)
	for m, t := range c.taken {
		if t {
			continue
		}
		if k == 0 {
			return int32(m)
		}
		k--
	}
	return -1
}
