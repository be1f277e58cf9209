package cluster

import (
	"fmt"
	"math/bits"
)

// Free is the indexed free list: which GPUs are free, and per slot, machine and rack
// how many. Taking and releasing a GPU, and every query, cost a few machine words,
// whatever the size of the cluster.
//
// A journal makes it usable for planning: Mark, take and release tentatively, Rollback.
type Free struct {
	top   *Topology
	mask  []uint64 // machine -> free GPUs, bit i = i-th GPU of the machine
	slot  units
	mach  units
	inner units // machines keyed within their rack, for filling a rack with few machines
	rack  units
	whole units  // racks by machines of the largest size that are wholly free
	avail bitset // machines with a free GPU
	total int
	found foundOrder
	// journal holds ^gpu for a take and gpu for a release.
	journal []int32
	// ofType is, per GPU type, the list of that type's GPUs alone; nil when there is one type.
	ofType []*Free
}

// units indexes the units of one level by how many GPUs each has free. Key = free*n + unit, or
// within a group base(group) + free*size(group) + unit-in-group.
type units struct {
	n    int
	free []int32
	set  bitset
}

func newUnits(n, maxFree int) units {
	return units{n: n, free: make([]int32, n), set: newBitset((maxFree + 1) * n)}
}

func (u *units) put(unit, free int) {
	u.free[unit] = int32(free)
	u.set.set(free*u.n + unit)
}

func (u *units) change(unit int, by int32) {
	f := int(u.free[unit])
	u.set.clear(f*u.n + unit)
	u.free[unit] += by
	u.set.set((f+int(by))*u.n + unit)
}

// best is the unit with the fewest free GPUs >= g, lowest index first; -1 if there is none.
func (u *units) best(g int) int {
	k := u.set.next(g * u.n)
	if k < 0 {
		return -1
	}
	return k % u.n
}

// top is the largest number of free GPUs in one unit.
func (u *units) top() int {
	k := u.set.prev(len(u.set.levels[0])<<6 - 1)
	if k < 0 {
		return 0
	}
	return k / u.n
}

// NewFree gives a free list in which every GPU of t is free.
func NewFree(t *Topology) *Free {
	f := newFree(t)
	if len(t.types) > 1 {
		f.ofType = make([]*Free, len(t.types))
		for ty := range t.types {
			sub := newFree(t)
			for g, m := range t.machineOf {
				if int(t.typeOf[m]) != ty {
					sub.flip(sub.bit(GPU(g), -1))
				}
			}
			f.ofType[ty] = sub
		}
	}
	return f
}

// Of gives the free list of one GPU type, for queries only; nil when the cluster has no
// such type. Type "" is the whole list, and so is any type on a cluster that names none.
func (f *Free) Of(typ string) *Free {
	if typ == "" || len(f.top.types) == 1 && f.top.types[0] == "" {
		return f
	}
	for i, name := range f.top.types {
		if name == typ {
			if f.ofType == nil {
				return f
			}
			return f.ofType[i]
		}
	}
	return nil
}

func newFree(t *Topology) *Free {
	f := &Free{top: t, mask: make([]uint64, t.Machines()), total: t.GPUs()}
	f.slot = newUnits(t.Slots(), t.maxSlot)
	f.mach = newUnits(t.Machines(), t.maxMach)
	f.rack = newUnits(t.Racks(), t.maxRack)
	f.whole = newUnits(t.Racks(), t.maxInRack)
	f.avail = newBitset(t.Machines())
	f.inner = units{n: t.Machines(), set: newBitset((t.maxMach + 1) * t.Machines())}
	for m := range t.Machines() {
		n := int(t.first[m+1] - t.first[m])
		f.mask[m] = ^uint64(0) >> (64 - n)
		f.mach.put(m, n)
		f.avail.set(m)
		f.inner.set.set(f.innerKey(m, n))
		for s := t.slotFirst[m]; s < t.slotFirst[m+1]; s++ {
			f.slot.put(int(s), int(t.slotSize[m]))
		}
	}
	for r := range t.Racks() {
		f.rack.put(r, f.countRack(r))
		f.whole.put(r, f.countWhole(r))
	}
	return f
}

func (f *Free) countRack(r int) int {
	n := 0
	for m := f.top.rackFirst[r]; m < f.top.rackFirst[r+1]; m++ {
		n += int(f.mach.free[m])
	}
	return n
}

func (f *Free) countWhole(r int) int {
	n := 0
	for m := f.top.rackFirst[r]; m < f.top.rackFirst[r+1]; m++ {
		if int(f.mach.free[m]) == f.top.maxMach {
			n++
		}
	}
	return n
}

// innerKey orders a rack's machines by free GPUs; racks occupy disjoint runs of keys.
func (f *Free) innerKey(m, free int) int {
	r := f.top.rackOf[m]
	lo, hi := int(f.top.rackFirst[r]), int(f.top.rackFirst[r+1])
	return (f.top.maxMach+1)*lo + free*(hi-lo) + m - lo
}

// Topology is the tree the list is over.
func (f *Free) Topology() *Topology { return f.top }

// Total is the number of free GPUs.
func (f *Free) Total() int { return f.total }

// Has reports whether a GPU is free.
func (f *Free) Has(g GPU) bool {
	m := f.top.machineOf[g]
	return f.mask[m]>>(g-f.top.first[m])&1 != 0
}

// InMachine is the number of free GPUs of one machine.
func (f *Free) InMachine(m int) int { return int(f.mach.free[m]) }

// InSlot is the number of free GPUs of one slot.
func (f *Free) InSlot(s int) int { return int(f.slot.free[s]) }

// InRack is the number of free GPUs of one rack.
func (f *Free) InRack(r int) int { return int(f.rack.free[r]) }

// Mask has bit i set when the i-th GPU of machine m is free.
func (f *Free) Mask(m int) uint64 { return f.mask[m] }

// Largest is the largest number of free GPUs in one unit of a level.
func (f *Free) Largest(l Level) int {
	switch l {
	case LevelGPU:
		return min(f.total, 1)
	case LevelSlot:
		return f.slot.top()
	case LevelMachine:
		return f.mach.top()
	case LevelRack:
		return f.rack.top()
	}
	return f.total
}

// Take marks a free GPU as used. Taking a GPU that is not free is a broken
// invariant of the caller and panics.
func (f *Free) Take(g GPU) {
	if !f.Has(g) {
		panic(fmt.Sprintf("cluster: GPU %d taken twice", g))
	}
	f.flip(f.bit(g, -1))
	f.journal = append(f.journal, int32(^g))
}

// Release marks a used GPU as free. Releasing a free GPU panics.
func (f *Free) Release(g GPU) {
	if f.Has(g) {
		panic(fmt.Sprintf("cluster: GPU %d released twice", g))
	}
	f.flip(f.bit(g, 1))
	f.journal = append(f.journal, int32(g))
}

// bit gives the arguments of flip for one GPU.
func (f *Free) bit(g GPU, by int32) (m int, mask uint64, _ int32) {
	m = int(f.top.machineOf[g])
	return m, 1 << (g - f.top.first[m]), by
}

// TakeAll marks free GPUs as used, as Take does for one; those of a machine that follow one another cost little more than one.
func (f *Free) TakeAll(gpus []GPU) { f.all(gpus, -1) }

// ReleaseAll marks used GPUs as free, as Release does for one.
func (f *Free) ReleaseAll(gpus []GPU) { f.all(gpus, 1) }

func (f *Free) all(gpus []GPU, by int32) {
	t := f.top
	for i := 0; i < len(gpus); {
		m, mask := t.machineOf[gpus[i]], uint64(0)
		for ; i < len(gpus) && t.machineOf[gpus[i]] == m; i++ {
			g := gpus[i]
			bit := uint64(1) << (g - t.first[m])
			switch free := (f.mask[m]^mask)&bit != 0; {
			case free && by > 0:
				panic(fmt.Sprintf("cluster: GPU %d released twice", g))
			case !free && by < 0:
				panic(fmt.Sprintf("cluster: GPU %d taken twice", g))
			}
			mask |= bit
			if by < 0 {
				g = ^g
			}
			f.journal = append(f.journal, int32(g))
		}
		f.flip(int(m), mask, by)
	}
}

// flip takes (by -1) or releases (by 1) GPUs of a machine, bit i = its i-th GPU.
func (f *Free) flip(m int, mask uint64, by int32) {
	t := f.top
	rack, n := int(t.rackOf[m]), by*int32(bits.OnesCount64(mask))
	f.mask[m] ^= mask
	was := int(f.mach.free[m])
	now := was + int(n)
	f.inner.set.clear(f.innerKey(m, was))
	f.inner.set.set(f.innerKey(m, now))
	f.mach.change(m, n)
	if now == 0 {
		f.avail.clear(m)
	} else if was == 0 {
		f.avail.set(m)
	}
	if f.ofType != nil {
		f.ofType[t.typeOf[m]].flip(m, mask, by)
	}
	size := int(t.slotSize[m])
	for rest := mask; rest != 0; {
		s := bits.TrailingZeros64(rest) / size
		in := rest & (^uint64(0) >> (64 - size) << (s * size))
		f.slot.change(int(t.slotFirst[m])+s, by*int32(bits.OnesCount64(in)))
		rest &^= in
	}
	f.rack.change(rack, n)
	switch t.maxMach {
	case was:
		f.whole.change(rack, -1)
	case now:
		f.whole.change(rack, 1)
	}
	f.total += int(n)
}

// Mark is a point to roll back to.
func (f *Free) Mark() int { return len(f.journal) }

// Rollback undoes every Take and Release since mark.
func (f *Free) Rollback(mark int) {
	n := len(f.journal)
	for n > mark {
		// The last entries of one kind and one machine, which are different GPUs.
		g, by := f.journal[n-1], int32(-1)
		if g < 0 {
			g, by = ^g, 1
		}
		m, mask := f.top.machineOf[g], uint64(0)
		for ; n > mark; n-- {
			g := f.journal[n-1]
			if g < 0 == (by < 0) {
				break
			}
			if g < 0 {
				g = ^g
			}
			if f.top.machineOf[g] != m {
				break
			}
			mask |= 1 << (GPU(g) - f.top.first[m])
		}
		f.flip(int(m), mask, by)
	}
	f.journal = f.journal[:n]
}

// Commit forgets the journal: what was done stays.
func (f *Free) Commit() { f.journal = f.journal[:0] }

// CopyFrom makes f equal to o, which must be over the same topology.
func (f *Free) CopyFrom(o *Free) {
	copy(f.mask, o.mask)
	f.slot.copyFrom(&o.slot)
	f.mach.copyFrom(&o.mach)
	f.inner.copyFrom(&o.inner)
	f.rack.copyFrom(&o.rack)
	f.whole.copyFrom(&o.whole)
	f.avail.copyFrom(&o.avail)
	for i := range f.ofType {
		f.ofType[i].CopyFrom(o.ofType[i])
	}
	f.total = o.total
	f.journal = append(f.journal[:0], o.journal...)
}

func (u *units) copyFrom(o *units) {
	copy(u.free, o.free)
	u.set.copyFrom(&o.set)
}

// fewest appends the lowest g free GPUs of mask, offset by first.
func fewest(dst []GPU, first GPU, mask uint64, g int) []GPU {
	for range g {
		dst = append(dst, first+GPU(bits.TrailingZeros64(mask)))
		mask &= mask - 1
	}
	return dst
}
