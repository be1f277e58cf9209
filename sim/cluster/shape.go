package cluster

// Part is the piece of an allocation that lies on one machine.
type Part struct {
	// Rack and Machine are indices in the topology.
	Rack, Machine int32
	// GPUs is the count on this machine.
	GPUs int32
	// Slots is the number of slots touched, SlotMax the largest count in one of them.
	Slots, SlotMax int32
}

// Shape is the summary of an allocation: one Part per machine, ascending.
// Speed depends on the shape alone unless links are shared.
type Shape []Part

// ShapeOf appends the shape of gpus (ascending) to dst.
func (t *Topology) ShapeOf(dst Shape, gpus []GPU) Shape {
	slot, inSlot := -1, int32(0)
	for _, g := range gpus {
		m := t.machineOf[g]
		if n := len(dst); n == 0 || dst[n-1].Machine != m {
			dst = append(dst, Part{Rack: t.rackOf[m], Machine: m})
			slot = -1
		}
		p := &dst[len(dst)-1]
		p.GPUs++
		if s := t.Slot(g); s != slot {
			slot, inSlot = s, 0
			p.Slots++
		}
		inSlot++
		p.SlotMax = max(p.SlotMax, inSlot)
	}
	return dst
}

// GPUs is the total count.
func (s Shape) GPUs() int {
	n := int32(0)
	for _, p := range s {
		n += p.GPUs
	}
	return int(n)
}

// Machines is the number of machines touched.
func (s Shape) Machines() int { return len(s) }

// Racks is the number of racks touched.
func (s Shape) Racks() int {
	n, last := 0, int32(-1)
	for _, p := range s {
		if p.Rack != last {
			n, last = n+1, p.Rack
		}
	}
	return n
}

// Level is the finest level whose one unit holds the allocation.
func (s Shape) Level() Level {
	switch {
	case len(s) == 0 || len(s) == 1 && s[0].GPUs <= 1:
		return LevelGPU
	case s.Racks() > 1:
		return LevelCluster
	case len(s) > 1:
		return LevelRack
	case s[0].Slots > 1:
		return LevelMachine
	}
	return LevelSlot
}

// Tighter reports whether the GPUs a (ascending) lie closer together than b: within a finer unit,
// or within as fine a one on fewer machines, or on as many in fewer slots.
func (t *Topology) Tighter(a, b []GPU) bool {
	la, ma, sa := t.spread(a)
	lb, mb, sb := t.spread(b)
	if la != lb {
		return la < lb
	}
	if ma != mb {
		return ma < mb
	}
	return sa < sb
}

// Tightest reports that no allocation of as many GPUs can be Tighter: it lies in one slot, or in one
// machine and as few slots as can hold it.
func (t *Topology) Tightest(gpus []GPU) bool {
	switch t.LevelOf(gpus) {
	case LevelGPU, LevelSlot:
		return true
	case LevelMachine:
		_, _, slots := t.spread(gpus)
		return slots == (len(gpus)+t.maxSlot-1)/t.maxSlot
	}
	return false
}

// Compact reports that no allocation of as many GPUs can be Tighter, also where it lies on several
// machines: it touches as few units of each level as could hold it. It may be false although none is
// Tighter, where machines or racks differ in size.
func (t *Topology) Compact(gpus []GPU) bool {
	n := len(gpus)
	l, machines, slots := t.spread(gpus)
	return (l == LevelGPU || n > t.Capacity(l-1)) && machines <= (n+t.maxMach-1)/t.maxMach &&
		slots <= (n+t.maxSlot-1)/t.maxSlot
}

// spread is an allocation's level and how many machines and slots it touches.
func (t *Topology) spread(gpus []GPU) (l Level, machines, slots int) {
	machine, slot := -1, -1
	for _, g := range gpus {
		if s := t.Slot(g); s != slot {
			slot = s
			slots++
			if m := t.Machine(g); m != machine {
				machine = m
				machines++
			}
		}
	}
	return t.LevelOf(gpus), machines, slots
}
