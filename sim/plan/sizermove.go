package plan

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Moves states when a Sizer moves jobs to others' advantage.
type Moves uint8

const (
	// MoveNever leaves every job where it is that keeps its number of GPUs.
	MoveNever Moves = iota
	// MoveSpread makes room on one machine when a job that starts or changes its number would lie
	// on several though one could hold it: as few jobs as it finds to be enough go to other
	// machines, on one machine each. A job that changes moves itself where that brings it together.
	MoveSpread
	// MoveBuddy is MoveSpread, and packs all jobs anew where a job still lies on more machines than
	// it needs and that helps (sizerpack.go). Where the numbers of GPUs, of jobs and in machines,
	// are powers of two, so that jobs are buddy blocks, no job then ever does.
	MoveBuddy
	// MovePacked packs all jobs anew whenever a number changes or a job that may move gets a lease:
	// the largest first, as if machines were empty, and then machines are matched such that most
	// GPUs stay where they are, as VODA does.
	MovePacked
)

// tighten brings a job together that the plan has spread over more machines than it needs.
func (s *Sizer) tighten(v *sim.View, i int) {
	w, x := &s.wants[i], &s.sized[i]
	if x.has.ShareMilli != 1000 || x.has.hosted() || len(w.GPUs) < 2 {
		return
	}
	t, need := v.Topology(), s.least(v, w)
	if machines(t, w.GPUs) <= need {
		return
	}
	if !x.waits && s.anew(v, w, x) && machines(t, w.GPUs) <= need || need > 1 {
		return
	}
	s.clear(v, i)
}

// machines counts the machines of an allocation.
func machines(t *cluster.Topology, gpus []cluster.GPU) int {
	n, last := 0, -1
	for _, g := range gpus {
		if m := t.Machine(g); m != last {
			n, last = n+1, m
		}
	}
	return n
}

// least is the number of machines that an allocation needs on an empty cluster, of its type.
func (s *Sizer) least(v *sim.View, w *Want) int {
	t := v.Topology()
	if s.sizes == nil {
		s.sizes = make([][]int32, len(t.Types()))
		for m := range t.Machines() {
			i := slices.Index(t.Types(), t.Type(m))
			lo, hi := t.MachineGPUs(m)
			s.sizes[i] = append(s.sizes[i], int32(hi-lo))
		}
		for i := range s.sizes {
			slices.SortFunc(s.sizes[i], func(a, b int32) int { return cmp.Compare(b, a) })
		}
	}
	left := int32(len(w.GPUs))
	for n, size := range s.sizes[slices.Index(t.Types(), t.Type(t.Machine(w.GPUs[0])))] {
		if left -= size; left <= 0 {
			return n + 1
		}
	}
	return t.Machines() // it has GPUs of several types
}

// anew places a running job whose number changes as if it were starting, if that brings it closer
// together.
func (s *Sizer) anew(v *sim.View, w *Want, x *sized) bool {
	p, f, from := s.place, typeOf(v, x.job, w.GPUs), len(s.place.arena)
	s.giveBack(v, w.GPUs, &x.has)
	if p.finest(f, len(w.GPUs)) && v.Topology().Tighter(p.arena[from:], w.GPUs) {
		s.take(v, from, &x.has)
		s.assign(w, p.arena[from:len(p.arena):len(p.arena)])
		return true
	}
	p.arena = p.arena[:from]
	s.takeBack(v, w.GPUs, &x.has)
	return false
}

// takeBack undoes giveBack.
func (s *Sizer) takeBack(v *sim.View, gpus []cluster.GPU, d *Demand) {
	for _, g := range gpus {
		if v.Up(g) {
			s.place.book(v, g, d.ShareMilli, d)
		} else {
			s.place.charge(v.Topology().Machine(g), d, 1)
		}
	}
}

// assign gives a want other GPUs, and keeps the account of who is where.
func (s *Sizer) assign(w *Want, gpus []cluster.GPU) {
	if s.owned {
		i := s.seen[w.Job]
		for _, g := range w.GPUs {
			if s.owner[g] == i {
				s.owner[g] = 0
			}
		}
		for _, g := range gpus {
			s.owner[g] = i
		}
	}
	w.GPUs = gpus
}

// own writes down who has each GPU in the plan.
func (s *Sizer) own(v *sim.View) {
	if s.owned {
		return
	}
	s.owned = true
	if len(s.owner) == 0 {
		s.owner = make([]int32, v.Topology().GPUs())
	}
	clear(s.owner)
	for i := range s.wants {
		for _, g := range s.wants[i].GPUs {
			s.owner[g] = int32(i + 1)
		}
	}
}
