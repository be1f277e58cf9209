package miger

import (
	"slices"

	"tarry/baselines/miger/layout"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/mig"
)

// cell is a GPU with jobs in instances.
type cell struct {
	stamp  uint32 // when it last changed
	closed uint32 // the round in which a job was stopped that still holds its instance
	shut   bool   // no job may come beside its replica
	n      int8
	jobs   [layout.MaxJobs]resident
}

// resident is a job in an instance.
type resident struct {
	job   sim.JobID
	kind  int32
	at    int8 // placement
	share int32
	cut   uint32 // the round in which it was last given another instance
}

func (r *resident) member() member { return member{r.job, r.kind} }

// in are the residents of a cell.
func (c *cell) in() []resident { return c.jobs[:c.n] }

// of is a job's place in a cell that has it.
func (c *cell) of(j sim.JobID) *resident {
	return &c.jobs[slices.IndexFunc(c.in(), func(r resident) bool { return r.job == j })]
}

// mate is the index of the job in the same instance as resident i, -1 if there is none.
func (c *cell) mate(i int) int {
	for k := range c.in() {
		if k != i && c.jobs[k].at == c.jobs[i].at {
			return k
		}
	}
	return -1
}

// set are the instances in use.
func (c *cell) set() (s mig.Set) {
	for i := range c.in() {
		s = s.With(int(c.jobs[i].at))
	}
	return s
}

// enter adds a job to a GPU.
func (p *Policy) enter(g cluster.GPU, r resident) {
	c := &p.cells[g]
	if c.n == 0 {
		i, _ := slices.BinarySearch(p.active, g)
		p.active = slices.Insert(p.active, i, g)
	}
	c.jobs[c.n] = r
	c.n++
	p.cellOf[r.job] = int32(g)
	p.touch(c)
}

// leave takes a job off its GPU, if it is in an instance.
func (p *Policy) leave(j sim.JobID) {
	g := p.cellOf[j]
	if g < 0 {
		return
	}
	c := &p.cells[g]
	i := slices.IndexFunc(c.in(), func(r resident) bool { return r.job == j })
	copy(c.jobs[i:], c.in()[i+1:])
	c.n--
	p.cellOf[j] = -1
	if p.touch(c); c.n == 0 {
		at, _ := slices.BinarySearch(p.active, cluster.GPU(g))
		p.active = slices.Delete(p.active, at, at+1)
	}
	p.ease(cluster.GPU(g))
}

// ease notes that the jobs of a GPU may have more.
func (p *Policy) ease(g cluster.GPU) {
	if !slices.Contains(p.eased, g) {
		p.eased = append(p.eased, g)
	}
}

// touch notes that a GPU has changed.
func (p *Policy) touch(c *cell) {
	p.stamp++
	c.stamp = p.stamp
}

// present is the value of the jobs on a GPU as they are, each with its part of an instance to the
// full.
func (p *Policy) present(v *sim.View, class int8, c *cell) (sum float64) {
	for i := range c.in() {
		r := &c.jobs[i]
		profile := p.classes[class].profile(int(r.at))
		switch k := c.mate(i); {
		case k < 0:
			sum += max(0, p.worth(v, class, r.member(), profile))
		case r.member().before(c.jobs[k].member()):
			sum += max(0, p.pair(v, class, r.member(), c.jobs[k].member(), profile).worth)
		}
	}
	return sum
}

// speed is the part of its speed on a complete GPU that resident i has now.
func (p *Policy) speed(v *sim.View, class int8, c *cell, i int) float64 {
	r := &c.jobs[i]
	profile := p.classes[class].profile(int(r.at))
	k := c.mate(i)
	if k < 0 {
		return max(0, p.table(v, class, r.member()).alone[profile])
	}
	if m := c.jobs[k].member(); r.member().before(m) {
		return p.pair(v, class, r.member(), m, profile).speeds[0]
	} else {
		return p.pair(v, class, m, r.member(), profile).speeds[1]
	}
}

// steady reports whether the jobs of a GPU may be given other instances: none of them has run out
// of memory and holds it until it has failed.
func (p *Policy) steady(v *sim.View, c *cell) bool {
	return !slices.ContainsFunc(c.in(), func(r resident) bool { return v.Run(r.job).State() == sim.Draining })
}
