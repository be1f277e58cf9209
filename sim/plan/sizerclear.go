package plan

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// victim is a job that may leave a machine: its place among the wants, how many GPUs it has there,
// and whether it has to move that would stay otherwise.
type victim struct {
	at, n int32
	moves bool
}

// clearing is where a job may find room: a machine, the jobs that leave it and their number of
// GPUs.
type clearing struct {
	machine     int
	moves, gpus int
	victims     [64]victim
	n           int
}

// clear moves others out of a machine, so that a job finds room there. It tries the machines in the
// order of how many have to move.
func (s *Sizer) clear(v *sim.View, i int) {
	w, x := &s.wants[i], &s.sized[i]
	s.own(v)
	s.giveBack(v, w.GPUs, &x.has)
	f := typeOf(v, x.job, w.GPUs)
	s.options = s.options[:0]
	for m := range v.Topology().Machines() {
		if c, ok := s.clearing(v, f, i, m); ok {
			s.options = append(s.options, c)
		}
	}
	slices.SortFunc(s.options, func(a, b clearing) int {
		return cmp.Or(cmp.Compare(a.moves, b.moves), cmp.Compare(a.gpus, b.gpus), cmp.Compare(a.machine, b.machine))
	})
	for k := range s.options {
		if s.tryClearing(v, f, i, &s.options[k]) {
			return
		}
	}
	s.takeBack(v, w.GPUs, &x.has)
}

// clearing chooses who would leave a machine: jobs that change anyway first, then as few as are
// enough.
func (s *Sizer) clearing(v *sim.View, f *cluster.Free, i, m int) (c clearing, ok bool) {
	lack := len(s.wants[i].GPUs) - f.InMachine(m)
	lo, hi := v.Topology().MachineGPUs(m)
	if lack < 1 || len(s.wants[i].GPUs) > int(hi-lo) || !s.sameType(v, i, m) {
		return c, false
	}
	c.machine = m
	for g := lo; g < hi; g++ {
		o := s.owner[g]
		if o == 0 || int(o-1) == i || g > lo && s.owner[g-1] == o ||
			slices.ContainsFunc(c.victims[:c.n], func(y victim) bool { return y.at == o-1 }) {
			continue
		}
		if y, ok := s.movable(v, int(o-1), m); ok {
			c.victims[c.n] = y
			c.n++
		}
	}
	ys := c.victims[:c.n]
	slices.SortFunc(ys, func(a, b victim) int {
		if a.moves != b.moves {
			if b.moves {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.at, b.at))
	})
	return s.enough(c, lack)
}

// enough keeps of the jobs that could leave a machine as few as give up what is lacking, and in
// place of the last the smallest that does.
func (s *Sizer) enough(c clearing, lack int) (clearing, bool) {
	ys := c.victims[:c.n]
	c.n = 0
	for k := range ys {
		if int(ys[k].n) < lack {
			lack -= int(ys[k].n)
			c.count(ys[k])
			continue
		}
		for k+1 < len(ys) && int(ys[k+1].n) >= lack && ys[k+1].moves == ys[k].moves {
			k++
		}
		c.count(ys[k])
		return c, true
	}
	return c, false
}

func (c *clearing) count(y victim) {
	c.victims[c.n] = y
	c.n++
	c.gpus += int(y.n)
	if y.moves {
		c.moves++
	}
}

// sameType reports whether a machine is of the type of a job's GPUs.
func (s *Sizer) sameType(v *sim.View, i, m int) bool {
	t := v.Topology()
	return t.Type(m) == t.Type(t.Machine(s.wants[i].GPUs[0]))
}

// movable reports whether a job lies on one machine, on whole GPUs that are up, and asks for
// nothing else. One that is to have whole GPUs and has parts until its turn comes stays.
func (s *Sizer) movable(v *sim.View, i, m int) (victim, bool) {
	w, x := &s.wants[i], &s.sized[i]
	k := s.knobs(v, x)
	if x.stays || k.ShareMilli != 1000 || k.hosted() || x.had != (Demand{}) && x.had.ShareMilli != 1000 {
		return victim{}, false
	}
	for _, g := range w.GPUs {
		if v.Topology().Machine(g) != m || !v.Up(g) {
			return victim{}, false
		}
	}
	return victim{int32(i), int32(len(w.GPUs)), !x.waits && same(w.GPUs, v.Run(x.job).Held())}, true
}

// knobs are what a job has of each GPU in the plan.
func (s *Sizer) knobs(v *sim.View, x *sized) Demand {
	if x.has != (Demand{}) {
		return x.has
	}
	k := v.Run(x.job).Knobs()
	return perGPU(&k)
}

// tryClearing moves the jobs that a clearing names and places the job; it changes nothing if one of
// them finds no machine.
func (s *Sizer) tryClearing(v *sim.View, f *cluster.Free, i int, c *clearing) bool {
	p, from := s.place, len(s.place.arena)
	whole := Demand{ShareMilli: 1000}
	ys := c.victims[:c.n]
	slices.SortFunc(ys, func(a, b victim) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.at, b.at)) })
	for _, y := range ys {
		s.giveBack(v, s.wants[y.at].GPUs, &whole)
	}
	p.arena = f.FromMachine(p.arena, c.machine, len(s.wants[i].GPUs), p.rule)
	p.sorted(from)
	s.take(v, from, &whole)
	ends := [65]int{len(p.arena)}
	for k, y := range ys {
		at := len(p.arena)
		if f.Largest(cluster.LevelMachine) < int(y.n) || !p.finest(f, int(y.n)) ||
			v.Topology().Machine(p.arena[at]) == c.machine {
			s.giveBack(v, p.arena[from:ends[k]], &whole)
			p.arena = p.arena[:from]
			for _, y := range ys {
				s.takeBack(v, s.wants[y.at].GPUs, &whole)
			}
			return false
		}
		s.take(v, at, &whole)
		ends[k+1] = len(p.arena)
	}
	for _, y := range ys { // first all is given up
		s.assign(&s.wants[y.at], nil)
	}
	s.assign(&s.wants[i], p.arena[from:ends[0]:ends[0]])
	for k, y := range ys {
		s.assign(&s.wants[y.at], p.arena[ends[k]:ends[k+1]:ends[k+1]])
	}
	return true
}
