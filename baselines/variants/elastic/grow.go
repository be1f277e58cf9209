package elastic

import (
	"cmp"
	"slices"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/cluster"
)

// growIdle gives free GPUs to the elastic jobs of this instant's grants, then to running ones near
// them.
func (s *Sizes) growIdle(p *contest.Policy, v *sim.View) {
	if v.Free().Total() == 0 {
		return
	}
	for i := range p.Grants {
		if gr := &p.Grants[i]; gr.Kind != contest.Grown && mayGrow(v, gr) {
			s.growGrant(p, v, gr)
		}
	}
	for m := range v.Topology().Machines() {
		if v.Free().InMachine(m) > 0 {
			s.growIn(p, v, m)
		}
	}
	if s.rules.Over {
		s.growOver(p, v)
	}
}

// mayGrow reports whether a grant of this instant may be made larger.
func mayGrow(v *sim.View, gr *contest.Grant) bool {
	return gr.Kind != contest.Gives && gr.Kind != contest.Moves && !gr.Releases(v) && Elastic(v, gr.Job)
}

// growOver gives what is left to the elastic jobs of grants and to running ones, the first in the
// order of the contest first, wherever it lies.
func (s *Sizes) growOver(p *contest.Policy, v *sim.View) {
	if p.Late || v.Free().Total() == 0 {
		return
	}
	s.growing = s.growing[:0]
	add := func(j sim.JobID, has int) {
		if s.goal(v, j) > has {
			s.growing = append(s.growing, contest.Entry{Job: j, Key: p.Order(v, j)})
		}
	}
	for _, j := range v.Running() {
		if s.changeable(p, v, j) {
			add(j, len(v.Run(j).Held()))
		}
	}
	for i := range p.Grants {
		if gr := &p.Grants[i]; mayGrow(v, gr) {
			add(gr.Job, gr.Hi-gr.Lo)
		}
	}
	slices.SortFunc(s.growing, func(a, b contest.Entry) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key),
			cmp.Compare(a.Job, b.Job))
	})
	for _, e := range s.growing {
		s.growAnywhere(p, v, e.Job)
	}
}

// overGain is by how much the predicted speed of a job must rise for GPUs of other machines.
const overGain = 0.1

// growAnywhere lets a job grow to all it may, or a half of that, and so on, if that makes it
// faster.
func (s *Sizes) growAnywhere(p *contest.Policy, v *sim.View, j sim.JobID) {
	gr, f, lo, step := p.Planned(j), p.FreeFor(v, p.ClassOf(j)), len(p.GPUs), v.Job(j).WorkerGPUs()
	has := func() {
		if p.GPUs = p.GPUs[:lo]; gr == nil {
			p.GPUs = append(p.GPUs, v.Run(j).Held()...)
			return
		}
		p.GPUs = append(p.GPUs, p.GPUs[gr.Lo:gr.Hi]...)
	}
	has()
	before := v.Predict(j, sim.Placement{GPUs: p.GPUs[lo:], Alone: true}).Rate
	for more := min(s.goal(v, j)-(len(p.GPUs)-lo), f.Total()); more >= step; more /= 2 {
		more -= more % step
		l := cluster.LevelSlot
		for ; f.Largest(l) < more; l++ {
		}
		has()
		p.GPUs, _ = f.At(p.GPUs, more, l, p.Rule())
		slices.Sort(p.GPUs[lo:])
		if v.Predict(j, sim.Placement{GPUs: p.GPUs[lo:], Alone: true}).Rate < before*(1+overGain) {
			continue
		}
		s.claim(p, v, lo)
		if gr != nil {
			gr.Lo, gr.Hi = lo, len(p.GPUs)
			return
		}
		p.Grants = append(p.Grants, contest.Grant{Job: j, Lo: lo, Hi: len(p.GPUs), Kind: contest.Grown})
		return
	}
	p.GPUs = p.GPUs[:lo]
}

// goal is how many GPUs a job grows to.
func (s *Sizes) goal(v *sim.View, j sim.JobID) int {
	if !s.rules.Max {
		return v.Job(j).GPUs()
	}
	_, hi := v.Job(j).Range()
	return hi
}

// growGrant lets a grant of this instant grow.
func (s *Sizes) growGrant(p *contest.Policy, v *sim.View, gr *contest.Grant) {
	more := s.goal(v, gr.Job) - (gr.Hi - gr.Lo)
	if more < v.Job(gr.Job).WorkerGPUs() {
		return
	}
	lo := len(p.GPUs)
	p.GPUs = append(p.GPUs, p.GPUs[gr.Lo:gr.Hi]...)
	had := len(p.GPUs)
	if s.near(p, v, gr.Job, lo, more); len(p.GPUs) == had {
		p.GPUs = p.GPUs[:lo]
		return
	}
	s.claim(p, v, lo)
	gr.Lo, gr.Hi = lo, len(p.GPUs)
}

// growIn lets running jobs grow in a machine, the first in the order of the contest first, and
// reports whether any did.
func (s *Sizes) growIn(p *contest.Policy, v *sim.View, m int) bool {
	s.growing = s.growing[:0]
	lo, hi := v.Topology().MachineGPUs(m)
	for g := lo; g < hi; g++ {
		j := v.Owner(g)
		if j == sim.NoJob || slices.ContainsFunc(s.growing, func(e contest.Entry) bool { return e.Job == j }) ||
			!s.changeable(p, v, j) || s.goal(v, j) <= len(v.Run(j).Held()) {
			continue
		}
		s.growing = append(s.growing, contest.Entry{Job: j, Turn: int32(j), Key: p.Order(v, j)})
	}
	slices.SortFunc(s.growing, func(a, b contest.Entry) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key),
			cmp.Compare(a.Job, b.Job))
	})
	any := false
	for _, e := range s.growing {
		gr := contest.Grant{Job: e.Job, Lo: len(p.GPUs), Kind: contest.Grown}
		p.GPUs = append(p.GPUs, v.Run(e.Job).Held()...)
		had := len(p.GPUs)
		if s.near(p, v, e.Job, gr.Lo, s.goal(v, e.Job)-(had-gr.Lo)); len(p.GPUs) == had {
			p.GPUs = p.GPUs[:gr.Lo]
			continue
		}
		s.claim(p, v, gr.Lo)
		gr.Hi = len(p.GPUs)
		p.Grants = append(p.Grants, gr)
		any = true
	}
	return any
}

// claim takes the GPUs of p.GPUs from lo on that are free.
func (s *Sizes) claim(p *contest.Policy, v *sim.View, lo int) {
	for _, g := range p.GPUs[lo:] {
		if v.Free().Has(g) {
			v.Free().Take(g)
		}
	}
}

// near extends the allocation p.GPUs[lo:] of a job by up to more free GPUs of its machines, its
// slots' first, and sorts it.
func (s *Sizes) near(p *contest.Policy, v *sim.View, j sim.JobID, lo, more int) {
	t, f := v.Topology(), p.FreeFor(v, p.ClassOf(j))
	had, step := len(p.GPUs), v.Job(j).WorkerGPUs()
	for _, sameSlot := range [...]bool{true, false} {
		for i := lo; i < had && len(p.GPUs)-had < more; i++ {
			m := t.Machine(p.GPUs[i])
			if i > lo && (t.Machine(p.GPUs[i-1]) == m && (!sameSlot || t.Slot(p.GPUs[i-1]) == t.Slot(p.GPUs[i]))) {
				continue
			}
			from, to := t.MachineGPUs(m)
			for g := from; g < to && len(p.GPUs)-had < more; g++ {
				if f.Has(g) && (!sameSlot || t.Slot(g) == t.Slot(p.GPUs[i])) && p.Sure(v, g) &&
					!slices.Contains(p.GPUs[lo:], g) {
					p.GPUs = append(p.GPUs, g)
				}
			}
		}
	}
	p.GPUs = p.GPUs[:had+(len(p.GPUs)-had)/step*step]
	slices.Sort(p.GPUs[lo:])
}

// Elsewhere does something better with the GPUs of a spread start, and reports whether the
// contest is to look again: running jobs yield a near place for it, or those near its GPUs take
// them.
func (s *Sizes) Elsewhere(p *contest.Policy, v *sim.View, c *contest.Class, e contest.Entry, at cluster.Level) bool {
	if at <= c.Home || v.Run(e.Job).State() == sim.Running {
		return false
	}
	if s.rules.Yield != noYield && s.rules.Spread && s.admit(p, v, c, e) {
		return true
	}
	if s.rules.Grow != growSpread {
		return false
	}
	n := len(s.spread)
	s.spread, _ = p.FreeFor(v, c).At(s.spread, c.GPUs, at, p.Rule())
	any := false
	for i, g := range s.spread[n:] {
		if m := v.Topology().Machine(g); i == 0 || v.Topology().Machine(s.spread[n+i-1]) != m {
			any = s.growIn(p, v, m) || any
		}
	}
	s.spread = s.spread[:n]
	return any
}
