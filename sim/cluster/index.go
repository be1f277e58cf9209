package cluster

import "math/bits"

// units indexes the units of one level by how many GPUs each has free. Key = free*n + unit, or
// within a group base(group) + free*size(group) + unit-in-group.
type units struct {
	n    int
	free []int32
	with []int32 // with[k] = how many units have k free GPUs
	most int     // the largest number of free GPUs in one unit
	set  bitset
}

func newUnits(n, maxFree int) units {
	return units{n: n, free: make([]int32, n), with: make([]int32, maxFree+1), set: newBitset((maxFree + 1) * n)}
}

func (u *units) put(unit, free int) {
	u.free[unit] = int32(free)
	u.with[free]++
	u.most = max(u.most, free)
	u.set.set(free*u.n + unit)
}

func (u *units) change(unit int, by int32) {
	was := int(u.free[unit])
	u.count(unit, by)
	u.set.move(was*u.n+unit, (was+int(by))*u.n+unit)
}

// count is change for the counts alone.
func (u *units) count(unit int, by int32) {
	was := int(u.free[unit])
	now := was + int(by)
	u.free[unit] = int32(now)
	u.with[was]--
	u.with[now]++
	u.most = max(u.most, now)
	for u.with[u.most] == 0 {
		u.most--
	}
}

// best is the unit with the fewest free GPUs >= g, lowest index first; -1 if there is none.
func (u *units) best(g int) int {
	k := u.set.next(g * u.n)
	if k < 0 {
		return -1
	}
	return k % u.n
}

func (u *units) copyFrom(o *units) {
	copy(u.free, o.free)
	copy(u.with, o.with)
	u.most = o.most
	u.set.copyFrom(&o.set)
}

func (f *Free) countRack(r int) int {
	n := 0
	for m := f.top.rackFirst[r]; m < f.top.rackFirst[r+1]; m++ {
		n += int(f.mach.free[m])
	}
	return n
}

// index brings the indices up to date; every query of them begins with it.
func (f *Free) index() {
	if len(f.late) > 0 {
		f.indexLate()
	}
}

func (f *Free) indexLate() {
	for _, m := range f.late {
		f.later[m] = false
		if f.mask[m] != f.seen[m] {
			f.reindex(int(m))
		}
	}
	f.late = f.late[:0]
	f.most[LevelGPU], f.most[LevelSlot] = min(f.Total(), 1), f.slot.most
	f.most[LevelMachine], f.most[LevelRack] = f.mach.most, f.rack.most
}

// reindex puts a machine and its slots where the number of their free GPUs belongs.
func (f *Free) reindex(m int) {
	t := f.top
	old, mask := f.seen[m], f.mask[m]
	f.seen[m] = mask
	if f.slot != &f.mach {
		f.reindexSlots(m, old, mask)
	}
	was, now := bits.OnesCount64(old), bits.OnesCount64(mask)
	if was == now {
		return
	}
	f.mach.change(m, int32(now-was))
	f.rack.count(int(t.rackOf[m]), int32(now-was))
	f.wide.note(int32(m))
}

// reindexSlots is reindex for the slots of a machine.
func (f *Free) reindexSlots(m int, old, mask uint64) {
	size, first := int(f.top.slotSize[m]), int(f.top.slotFirst[m])
	for rest := old ^ mask; rest != 0; {
		s := bits.TrailingZeros64(rest) / size
		in := ^uint64(0) >> (64 - size) << (s * size)
		if by := bits.OnesCount64(mask&in) - bits.OnesCount64(old&in); by != 0 {
			f.slot.change(first+s, int32(by))
		}
		rest &^= in
	}
}
