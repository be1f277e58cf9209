package plan

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// meet plans the GPUs that a job gains, and what it holds more of each.
func (s *Sizer) meet(v *sim.View, w *Want, x *sized) {
	switch {
	case x.late:
	case x.waits:
		w.GPUs, x.late = s.start(v, x)
	default:
		if x.had != x.has && !x.has.within(&x.had) {
			if !s.holdsMore(v, w.GPUs, x) {
				x.late, w.Knobs, x.has = true, sim.Knobs{}, x.had
				return
			}
			s.exchange(v, w.GPUs, x)
		}
		if int(x.n) > len(w.GPUs) {
			w.GPUs, x.late = s.grow(v, w.GPUs, x)
		}
	}
}

// holdsMore reports whether there is room for the knobs that a job is to have where it is.
func (s *Sizer) holdsMore(v *sim.View, gpus []cluster.GPU, x *sized) bool {
	more := Demand{ShareMilli: x.has.ShareMilli - x.had.ShareMilli, CPUMilli: x.has.CPUMilli - x.had.CPUMilli,
		MemMiB: x.has.MemMiB - x.had.MemMiB}
	for _, g := range gpus {
		if s.place.use(v, g)+more.ShareMilli > 1000 {
			return false
		}
	}
	return !more.hosted() || s.place.carry(v, gpus, &more)
}

// start places a job that waits.
func (s *Sizer) start(v *sim.View, x *sized) (gpus []cluster.GPU, late bool) {
	d, types := x.has, v.Topology().Types()
	d.GPUs, d.Type = x.n, x.typ
	ok := false
	switch {
	case d.ShareMilli < 1000 && d.GPUs == 1:
		gpus, ok = s.place.Place(v, &d)
	case len(types) == 1:
		if d.Type == "" || types[0] == "" || types[0] == d.Type {
			gpus, ok = s.place.OfType(v, -1, &d)
		}
	case d.Type != "":
		if i := slices.Index(types, d.Type); i >= 0 {
			gpus, ok = s.place.OfType(v, i, &d)
		}
	default:
		gpus, ok = s.anyType(v, &d)
	}
	return gpus, !ok
}

// anyType places a job that names no type on GPUs of one: the type that has them nearest to one
// another, of these that with the fullest such unit. A job that no type alone could ever hold gets
// GPUs of several.
func (s *Sizer) anyType(v *sim.View, d *Demand) ([]cluster.GPU, bool) {
	t, f, n := v.Topology(), v.Free(), int(d.GPUs)
	best, level, room, ever := -1, cluster.LevelCluster, 0, false
	for i := range t.Types() {
		ever = ever || n <= t.CarriesOf(i, d.PerGPU())
		if f.Type(i).Total() < n {
			continue
		}
		for l := cluster.LevelSlot; l <= level; l++ {
			most := f.Type(i).Largest(l)
			if most < n {
				continue
			}
			if best < 0 || l < level || most < room {
				best, level, room = i, l, most
			}
			break
		}
	}
	if best < 0 {
		if ever {
			return nil, false
		}
		return s.place.OfType(v, -1, d)
	}
	if gpus, ok := s.place.OfType(v, best, d); ok {
		return gpus, true
	}
	for i := range t.Types() { // a machine's CPU or memory binds
		if gpus, ok := s.place.OfType(v, i, d); ok {
			return gpus, true
		}
	}
	if ever {
		return nil, false
	}
	return s.place.OfType(v, -1, d)
}

// typeOf is the free list of a job's type: of its GPUs, where all are of one.
func typeOf(v *sim.View, j sim.JobID, gpus []cluster.GPU) *cluster.Free {
	t, f := v.Topology(), v.Free()
	if len(t.Types()) == 1 {
		return f
	}
	typ := t.Type(t.Machine(gpus[0]))
	for _, g := range gpus {
		if t.Type(t.Machine(g)) != typ {
			return f.Of(v.Job(j).GPUType())
		}
	}
	return f.Type(slices.Index(t.Types(), typ))
}

// grow adds GPUs to a job's. What it takes lies as near as there is: on its
// machines, then in its racks, then elsewhere, on few machines each time.
func (s *Sizer) grow(v *sim.View, held []cluster.GPU, x *sized) (gpus []cluster.GPU, late bool) {
	f, p := typeOf(v, x.job, held), s.place
	need := int(x.n) - len(held)
	if f.Total() < need {
		return held, true
	}
	from := len(p.arena)
	p.arena = append(p.arena, held...)
	s.cut(v.Topology(), held)
	need = s.onMachines(v, f, held, x, need)
	need = s.inRacks(v, f, x, need)
	if need > 0 && !s.elsewhere(v, f, x, need) {
		for _, g := range p.arena[from+len(held):] {
			p.unbook(v, g, &x.has)
		}
		p.arena = p.arena[:from]
		return held, true
	}
	p.sorted(from)
	return p.arena[from:len(p.arena):len(p.arena)], false
}

// take books the GPUs of the arena from n on.
func (s *Sizer) take(v *sim.View, n int, d *Demand) {
	for _, g := range s.place.arena[n:] {
		s.place.book(v, g, d.ShareMilli, d)
	}
}

// onMachines adds GPUs of the machines that the job is on: of the fullest that has enough, else of
// machines with most. It gives what is still needed.
func (s *Sizer) onMachines(v *sim.View, f *cluster.Free, held []cluster.GPU, x *sized, need int) int {
	p := s.place
	for need > 0 {
		best, room := -1, 0
		for i := range s.pieces {
			m := int(s.pieces[i].machine)
			if n := min(f.InMachine(m), p.roomOf(v, m, &x.has)); n > 0 && (best < 0 || fitter(n, room, need)) {
				best, room = i, n
			}
		}
		if best < 0 {
			return need
		}
		c, n, k := s.pieces[best], len(p.arena), min(need, room)
		s.beside(v.Topology(), f, held[c.at:c.at+c.n], k)
		s.take(v, n, &x.has)
		if more := k - (len(p.arena) - n); more > 0 {
			n = len(p.arena)
			p.arena = f.FromMachine(p.arena, int(c.machine), more, p.rule)
			s.take(v, n, &x.has)
		}
		need -= k
	}
	return 0
}

// fitter reports whether a unit with n free GPUs suits a need better than one with o: the smallest
// that is enough, else the largest.
func fitter(n, o, need int) bool {
	if n >= need {
		return o < need || n < o
	}
	return n > o
}

// beside appends up to k free GPUs of the slots of a machine in which a job has GPUs already.
func (s *Sizer) beside(t *cluster.Topology, f *cluster.Free, gpus []cluster.GPU, k int) {
	last := -1
	for _, g := range gpus {
		slot := t.Slot(g)
		if slot == last {
			continue
		}
		last = slot
		m := t.Machine(g)
		lo, _ := t.MachineGPUs(m)
		first, _ := t.MachineSlots(m)
		size := t.SlotSize(m)
		lo += cluster.GPU((slot - first) * size)
		for g := lo; g < lo+cluster.GPU(size) && k > 0; g++ {
			if f.Has(g) {
				s.place.arena = append(s.place.arena, g)
				k--
			}
		}
	}
}

// inRacks adds GPUs of the racks that the job is in, chosen as its machines are.
func (s *Sizer) inRacks(v *sim.View, f *cluster.Free, x *sized, need int) int {
	p := s.place
	if x.has.hosted() {
		return s.inRacksHosted(v, f, x, need)
	}
	for need > 0 {
		best, room, last := -1, 0, int32(-1)
		for i := range s.pieces {
			r := s.pieces[i].rack
			if r == last {
				continue
			}
			last = r
			if n := f.InRack(int(r)); n > 0 && (best < 0 || fitter(n, room, need)) {
				best, room = int(r), n
			}
		}
		if best < 0 {
			return need
		}
		n, k := len(p.arena), min(need, room)
		p.arena = f.FromRack(p.arena, best, k, p.rule)
		s.take(v, n, &x.has)
		need -= k
	}
	return 0
}

// inRacksHosted is inRacks for a job that asks for CPU or memory: it looks at the machines of its
// racks.
func (s *Sizer) inRacksHosted(v *sim.View, f *cluster.Free, x *sized, need int) int {
	last := int32(-1)
	for i := range s.pieces {
		if r := s.pieces[i].rack; r != last && need > 0 {
			last = r
			lo, hi := v.Topology().RackMachines(int(r))
			need -= s.scan(v, f, x, lo, hi, need)
		}
	}
	return need
}

// elsewhere adds GPUs of anywhere, as near to one another as there are.
func (s *Sizer) elsewhere(v *sim.View, f *cluster.Free, x *sized, need int) bool {
	if x.has.hosted() {
		return s.scan(v, f, x, 0, v.Topology().Machines(), need) == need
	}
	n := len(s.place.arena)
	if !s.place.finest(f, need) {
		return false
	}
	s.take(v, n, &x.has)
	return true
}

// scan adds up to need GPUs of machines lo to hi, by the room that their CPU and memory leave: of
// the fullest that has enough, else of machines with most, of equals on the fastest type. It
// gives how many.
func (s *Sizer) scan(v *sim.View, f *cluster.Free, x *sized, lo, hi, need int) int {
	p, got := s.place, 0
	for got < need {
		best, room, rank := -1, 0, 0
		for m := lo; m < hi; m++ {
			n, r := min(f.InMachine(m), p.roomOf(v, m, &x.has)), p.rank(v.Topology(), m)
			if n > 0 && (best < 0 || fitter(n, room, need-got) || n == room && r < rank) {
				best, room, rank = m, n, r
			}
		}
		if best < 0 {
			break
		}
		n, k := len(p.arena), min(need-got, room)
		p.arena = f.FromMachine(p.arena, best, k, p.rule)
		s.take(v, n, &x.has)
		got += k
	}
	return got
}
