package plan

import (
	"cmp"
	"math"
	"slices"

	"tarry/internal/assign"
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
	solver assign.Solver
	order  []int32 // wants, the largest first
	nodes  []bin
	parts  []packed
	here   []packed // machines of one type
	rows   []int32  // nodes in use
	v      *sim.View
	s      *Sizer
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
	p, t, changes := &s.packer, v.Topology(), false
	p.order = p.order[:0]
	for i := range s.wants {
		w, x := &s.wants[i], &s.sized[i]
		if len(w.GPUs) == 0 {
			continue
		}
		changes = changes || x.waits || len(w.GPUs) != len(v.Run(x.job).Held()) || w.Lease > 0 && !x.stays
		if k := s.knobs(v, x); !x.stays && k.ShareMilli == 1000 && !k.hosted() &&
			!slices.ContainsFunc(w.GPUs, func(g cluster.GPU) bool {
				return !v.Up(g) || t.Type(t.Machine(g)) != t.Type(t.Machine(w.GPUs[0]))
			}) {
			p.order = append(p.order, int32(i))
		}
	}
	slices.SortStableFunc(p.order, func(a, b int32) int {
		return cmp.Compare(len(s.wants[b].GPUs),
			len(s.wants[a].GPUs))
	})
	return changes && (s.Moves == MovePacked || s.spread(v) > 0)
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
	from := len(p.parts)
	for m := range t.Machines() {
		if n := f.InMachine(m); n > 0 && t.Type(m) == name {
			p.nodes = append(p.nodes, bin{machine: int32(m), cap: int32(n), left: int32(n), to: -1})
		}
	}
	for _, i := range p.order {
		w := &p.s.wants[i]
		if t.Type(t.Machine(w.GPUs[0])) != name {
			continue
		}
		for left := int32(len(w.GPUs)); left > 0; {
			best, room := -1, 0
			for k := range p.nodes {
				if n := int(p.nodes[k].left); n > 0 && (best < 0 || fitter(n, room, int(left))) {
					best, room = k, n
				}
			}
			n := min(left, int32(room))
			p.parts = append(p.parts, packed{i, int32(best), n})
			p.nodes[best].left -= n
			left -= n
		}
	}
	p.match(p.parts[from:])
}

// match gives each virtual machine in use one of the cluster.
func (p *packer) match(parts []packed) {
	p.rows = p.rows[:0]
	for k := range p.nodes {
		if n := &p.nodes[k]; n.left < n.cap {
			p.rows = append(p.rows, int32(k))
		}
	}
	p.here = parts
	p.solver.Begin(p, len(p.nodes))
	for range p.rows {
		if _, err := p.solver.Add(); err != nil {
			return // each could be what it was made from
		}
	}
	for r, k := range p.rows {
		p.nodes[k].to = p.nodes[p.solver.Column(r)].machine
	}
	for k := range parts {
		parts[k].node = p.nodes[parts[k].node].to
	}
}

// Row implements assign.Costs: the costs of making a virtual machine of a real one are the GPUs
// that stay, with a minus.
func (p *packer) Row(i int, out []float64) {
	k := p.rows[i]
	used := p.nodes[k].cap - p.nodes[k].left
	for m := range out {
		if out[m] = 0; p.nodes[m].cap < used {
			out[m] = math.Inf(1)
		}
	}
	t := p.v.Topology()
	for _, x := range p.here {
		if x.node != k {
			continue
		}
		held := p.v.Run(p.s.wants[x.want].Job).Held()
		for g := 0; g < len(held); {
			m, n := t.Machine(held[g]), int32(0)
			for ; g < len(held) && t.Machine(held[g]) == m; g++ {
				n++
			}
			if col, ok := slices.BinarySearchFunc(p.nodes, int32(m),
				func(a bin, m int32) int { return cmp.Compare(a.machine, m) }); ok {
				out[col] -= float64(min(n, x.n))
			}
		}
	}
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
