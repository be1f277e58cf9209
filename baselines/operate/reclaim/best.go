package reclaim

// nodes bounds the search of Best: sets that are looked at, whole or in part.
const nodes = 1 << 16

// Loss is what taking machines costs: preempted jobs and the GPUs that these held.
type Loss struct{ Jobs, GPUs int }

// less reports whether a loss is smaller: fewer jobs, then fewer GPUs.
func (a Loss) less(b Loss) bool { return a.Jobs < b.Jobs || a.Jobs == b.Jobs && a.GPUs < b.GPUs }

// search goes through the sets of machines in the order of their numbers. A set that has begun loses
// at least what it has lost, so that sets are left out that lose no less than the least so far.
type search struct {
	c         *Chooser
	held      []int32 // job -> GPUs left after the machines of the set, below Least for a preempted one
	now       Loss
	set, best []int32
	least     Loss
	nodes     int
}

// best takes the k machines with the least loss. It begins with the machines that Cost takes, which
// stand where the search ends at its bound.
func (c *Chooser) best(k int, dst []int32) []int32 {
	s := &c.trial
	s.c, s.nodes, s.now = c, nodes, Loss{}
	s.set = s.set[:0]
	s.held = append(s.held[:0], c.held...)
	s.best = s.byCost(k)
	copy(c.held, s.held)
	for j := range c.jobs {
		c.parts[j] = c.jobs[j].Machines
		for _, h := range c.jobs[j].Holds {
			if c.taken[h.Machine] {
				c.parts[j]--
			}
		}
	}
	s.from(0, len(s.best))
	for _, m := range s.best {
		c.Take(m)
	}
	return append(dst, s.best...)
}

// byCost gives the machines that Cost takes, and notes their loss as the least; they are not taken
// after it, but what jobs have is.
func (s *search) byCost(k int) []int32 {
	set := s.c.Choose(Cost, k, nil, s.best[:0])
	s.least = Loss{}
	for j := range s.c.jobs {
		if s.held[j] > 0 && s.c.held[j] == 0 {
			s.least = Loss{s.least.Jobs + 1, s.least.GPUs + int(s.c.jobs[j].GPUs)}
		}
	}
	for _, m := range set {
		s.c.taken[m] = false
	}
	return set
}

// from looks at the sets with k more machines, from m on.
func (s *search) from(m int32, k int) {
	if s.nodes--; s.nodes < 0 || !s.now.less(s.least) {
		return
	}
	if k == 0 {
		s.least = s.now
		s.best = append(s.best[:0], s.set...)
		return
	}
	for ; int(m)+k <= len(s.c.taken); m++ {
		if s.c.taken[m] {
			continue
		}
		before := s.now
		s.lose(m)
		s.set = append(s.set, m)
		s.from(m+1, k-1)
		s.set = s.set[:len(s.set)-1]
		s.restore(m)
		s.now = before
	}
}

// lose takes the GPUs of a machine from its jobs: one that falls below its least is preempted.
func (s *search) lose(m int32) {
	for _, j := range s.c.on[m] {
		job, was := &s.c.jobs[j], s.held[j]
		s.held[j] -= s.c.at(j, m)
		if was >= job.Least && s.held[j] < job.Least {
			s.now = Loss{s.now.Jobs + 1, s.now.GPUs + int(job.GPUs)}
		}
	}
}

// restore is lose backwards.
func (s *search) restore(m int32) {
	for _, j := range s.c.on[m] {
		s.held[j] += s.c.at(j, m)
	}
}
