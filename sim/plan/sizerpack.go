package plan

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// packer packs all jobs anew as VODA's placement manager does (github.com/heyfey/vodascheduler,
// pkg/placement): the largest first, each on the virtual machine on which it fits best, or, if none
// holds it, on that with most room and with the rest on others. Then virtual machines are matched
// to the cluster's such that the sum over jobs of GPUs that stay on their machine is greatest (the
// Hungarian method).
//
// We differ: the rest of a job that lies on several machines takes up what it needs of the last
// (there its whole number is charged again, which books a machine beyond what it has); machines are
// packed by GPU type; on its machine a job keeps its GPUs. Jobs that share GPUs, ask for CPU or
// memory, have GPUs of several types or of cordoned machines stay where they are.
type packer struct {
	order []int32 // wants, the largest first
	nodes []bin
	parts []packed
	room  bins
	sizes []int32 // scratch of largest
	other []int32
	match matching
	v     *sim.View
	s     *Sizer
}

// bin is a machine while it is empty: which, and what is left of it. As a virtual machine it is one
// of its size.
type bin struct {
	machine, cap, left int32
	to                 int32 // the machine that it becomes
}

// packed is a part of a job on a virtual machine.
type packed struct{ want, node, n int32 }

// pack packs what is planned, if a number changes or a lease is granted, and, but for MovePacked,
// if that brings more jobs together.
func (s *Sizer) pack(v *sim.View) {
	if !s.packable(v) {
		return
	}
	p := &s.packer
	p.v, p.s = v, s
	whole := Demand{ShareMilli: 1000}
	for _, i := range p.order {
		s.giveBack(v, s.wants[i].GPUs, &whole)
	}
	types := v.Topology().Types()
	p.parts = p.parts[:0]
	for i := range types {
		p.fill(i, types[i])
	}
	if s.Moves != MovePacked && s.loose(p) >= s.spread(v) {
		for _, i := range p.order {
			s.takeBack(v, s.wants[i].GPUs, &whole)
		}
		return
	}
	p.realise()
	p.v, p.s = nil, nil
}

// packable lists the jobs that can be packed, and reports whether there is a reason to.
func (s *Sizer) packable(v *sim.View) bool {
	p, changes := &s.packer, false
	p.order = p.order[:0]
	for i := range s.wants {
		w, x := &s.wants[i], &s.sized[i]
		if len(w.GPUs) == 0 {
			continue
		}
		changes = changes || x.waits || len(w.GPUs) != len(v.Run(x.job).Held()) || w.Lease > 0 && !x.stays
		if k := s.knobs(v, x); !x.stays && k.ShareMilli == 1000 && !k.hosted() && together(v, w.GPUs) {
			p.order = append(p.order, int32(i))
		}
	}
	if !changes {
		return false
	}
	p.largest(s)
	return s.Moves == MovePacked || s.spread(v) > 0
}

// together reports whether GPUs are up and of one type.
func together(v *sim.View, gpus []cluster.GPU) bool {
	t := v.Topology()
	types := len(t.Types()) > 1
	for _, g := range gpus {
		if !v.Up(g) || types && t.Type(t.Machine(g)) != t.Type(t.Machine(gpus[0])) {
			return false
		}
	}
	return true
}

// largest puts the wants in order, the largest first, equal ones as they are.
func (p *packer) largest(s *Sizer) {
	p.sizes = p.sizes[:0]
	for _, i := range p.order {
		n := len(s.wants[i].GPUs)
		for len(p.sizes) <= n {
			p.sizes = append(p.sizes, 0)
		}
		p.sizes[n]++
	}
	at := int32(0)
	for n := len(p.sizes) - 1; n >= 0; n-- {
		p.sizes[n], at = at, at+p.sizes[n]
	}
	p.other = append(p.other[:0], p.order...)
	for _, i := range p.other {
		n := len(s.wants[i].GPUs)
		p.order[p.sizes[n]] = i
		p.sizes[n]++
	}
}

// spread counts the jobs of the plan that can be packed and lie on more machines than they need.
func (s *Sizer) spread(v *sim.View) int {
	n := 0
	for _, i := range s.packer.order {
		if w := &s.wants[i]; machines(v.Topology(), w.GPUs) > s.least(v, w) {
			n++
		}
	}
	return n
}

// loose is spread of what is packed.
func (s *Sizer) loose(p *packer) int {
	n := 0
	for k := 0; k < len(p.parts); {
		i, parts := p.parts[k].want, 0
		for ; k < len(p.parts) && p.parts[k].want == i; k++ {
			parts++
		}
		if parts > s.least(p.v, &s.wants[i]) {
			n++
		}
	}
	return n
}

// fill packs the jobs on GPUs of a type, and matches the machines.
func (p *packer) fill(typ int, name string) {
	t, f := p.v.Topology(), p.v.Free()
	p.nodes = p.nodes[:0]
	p.room.open()
	from := len(p.parts)
	for m := range t.Machines() {
		if n := f.InMachine(m); n > 0 && t.Type(m) == name {
			p.room.put(int32(len(p.nodes)), int32(n))
			p.nodes = append(p.nodes, bin{machine: int32(m), cap: int32(n), left: int32(n), to: -1})
		}
	}
	for _, i := range p.order {
		w := &p.s.wants[i]
		if t.Type(t.Machine(w.GPUs[0])) != name {
			continue
		}
		for left := int32(len(w.GPUs)); left > 0; {
			best, room := p.room.fittest(left)
			n := min(left, room)
			p.parts = append(p.parts, packed{i, best, n})
			p.nodes[best].left -= n
			p.room.take(best, room)
			p.room.put(best, room-n)
			left -= n
		}
	}
	p.match.machines(p, p.parts[from:])
}

// realise chooses the GPUs on the machines: first every job keeps what it has there, then it gets
// the others.
func (p *packer) realise() {
	s, v := p.s, p.v
	t, whole := v.Topology(), Demand{ShareMilli: 1000}
	if len(s.owner) == 0 {
		s.owner = make([]int32, t.GPUs())
	}
	clear(s.owner)
	s.owned = false
	for _, x := range p.parts {
		left := x.n
		for _, g := range v.Run(s.wants[x.want].Job).Held() {
			if left > 0 && t.Machine(g) == int(x.node) && v.Free().Has(g) {
				s.place.book(v, g, 1000, &whole)
				s.owner[g] = x.want + 1
				left--
			}
		}
	}
	for k := 0; k < len(p.parts); {
		i, from := p.parts[k].want, len(s.place.arena)
		w := &s.wants[i]
		for ; k < len(p.parts) && p.parts[k].want == i; k++ {
			p.place(w, &p.parts[k])
		}
		s.place.sorted(from)
		w.GPUs = s.place.arena[from:len(s.place.arena):len(s.place.arena)]
	}
}

// place appends a part's GPUs.
func (p *packer) place(w *Want, x *packed) {
	s, v, left := p.s, p.v, x.n
	for _, g := range v.Run(w.Job).Held() {
		if v.Topology().Machine(g) == int(x.node) && s.owner[g] == x.want+1 {
			s.place.arena = append(s.place.arena, g)
			left--
		}
	}
	if left > 0 {
		at := len(s.place.arena)
		s.place.arena = v.Free().FromMachine(s.place.arena, int(x.node), int(left), s.place.rule)
		s.take(v, at, &Demand{ShareMilli: 1000})
	}
}
