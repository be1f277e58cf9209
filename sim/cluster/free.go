package cluster

import (
	"fmt"
	"math/bits"
	"slices"
)

// Free is the indexed free list: which GPUs are free, and per slot, machine and rack
// how many. Taking and releasing a GPU, and every query, cost a few machine words,
// whatever the size of the cluster. The indices are brought up to date when a query needs them,
// so GPUs that are taken and released again in between cost next to nothing.
//
// A journal makes it usable for planning: Mark, take and release tentatively, Rollback.
// It is not safe for concurrent use, except CopyFrom of one that does not change.
type Free struct {
	top   *Topology
	mask  []uint64 // machine -> free GPUs, bit i = i-th GPU of the machine
	seen  []uint64 // mask as the indices below have it
	late  []int32  // machines whose mask may differ from that in the indices
	later []bool   // machine -> it is in late
	slot  *units   // mach where machines have one slot each
	mach  units
	rack  units                 // its set is up to date with wide
	most  [LevelCluster + 1]int // level -> free GPUs of the unit with most of them; the cluster's hold without the indices
	wide  wide
	found foundOrder
	// journal holds what was flipped, to undo it; with carries the first done of it are carried out.
	journal []flipped
	carries bool
	done    int
	kept    int // the first changes of it are not undone by a Rollback
	// ofType is, per GPU type, the list of that type's GPUs alone; nil when there is one type.
	ofType []*Free
}

// flipped are GPUs of a machine of which each was taken, or each was released.
type flipped struct {
	mask uint64
	m    int32
	take bool
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
					sub.flip(m, 1<<(GPU(g)-t.first[m]))
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
	if f.top.anyType(typ) {
		return f
	}
	if i := f.top.TypeIndex(typ); i >= 0 {
		return f.Type(i)
	}
	return nil
}

// Type gives the free list of the i-th of Topology.Types, for queries only; on a cluster of one
// type the whole list.
func (f *Free) Type(i int) *Free {
	if f.ofType == nil {
		return f
	}
	return f.ofType[i]
}

func newFree(t *Topology) *Free {
	f := &Free{top: t, mask: make([]uint64, t.Machines()), later: make([]bool, t.Machines())}
	f.most[LevelCluster] = t.GPUs()
	f.mach = newUnits(t.Machines(), t.maxMach)
	f.slot = &f.mach
	if t.Slots() != t.Machines() {
		slots := newUnits(t.Slots(), t.maxSlot)
		f.slot = &slots
	}
	f.rack = newUnits(t.Racks(), t.maxRack)
	for m := range t.Machines() {
		n := int(t.first[m+1] - t.first[m])
		f.mask[m] = ^uint64(0) >> (64 - n)
		f.mach.put(m, n)
		for s := t.slotFirst[m]; f.slot != &f.mach && s < t.slotFirst[m+1]; s++ {
			f.slot.put(int(s), int(t.slotSize[m]))
		}
	}
	for r := range t.Racks() {
		f.rack.put(r, f.countRack(r))
	}
	f.seen = slices.Clone(f.mask)
	f.indexLate()
	f.wide = newWide(f)
	return f
}

// Topology is the tree the list is over.
func (f *Free) Topology() *Topology { return f.top }

// Total is the number of free GPUs.
func (f *Free) Total() int { return f.most[LevelCluster] }

// Has reports whether a GPU is free.
func (f *Free) Has(g GPU) bool {
	m := f.top.machineOf[g]
	return f.mask[m]>>(g-f.top.first[m])&1 != 0
}

// InMachine is the number of free GPUs of one machine.
func (f *Free) InMachine(m int) int { return bits.OnesCount64(f.mask[m]) }

// InSlot is the number of free GPUs of one slot.
func (f *Free) InSlot(s int) int {
	_, mask := f.slotMask(s)
	return bits.OnesCount64(mask)
}

// InRack is the number of free GPUs of one rack.
func (f *Free) InRack(r int) int {
	f.index()
	return int(f.rack.free[r])
}

// Mask has bit i set when the i-th GPU of machine m is free.
func (f *Free) Mask(m int) uint64 { return f.mask[m] }

// Largest is the largest number of free GPUs in one unit of a level.
func (f *Free) Largest(l Level) int {
	f.index()
	return f.most[l]
}

// Finest is the finest level, a slot or coarser, of which one unit has g free GPUs; false when not
// even the cluster has.
func (f *Free) Finest(g int) (Level, bool) {
	if g > f.Total() { // known without the index
		return LevelCluster, false
	}
	f.index()
	l := LevelSlot
	for g > f.most[l] {
		l++
	}
	return l, true
}

// Take marks a free GPU as used. Taking a GPU that is not free is a broken
// invariant of the caller and panics.
func (f *Free) Take(g GPU) { f.one(g, true) }

// Release marks a used GPU as free. Releasing a free GPU panics.
func (f *Free) Release(g GPU) { f.one(g, false) }

// one takes or releases a GPU.
func (f *Free) one(g GPU, take bool) {
	m := f.top.machineOf[g]
	f.change(m, 1<<(g-f.top.first[m]), take)
}

// TakeAll marks free GPUs as used, as Take does for one; successive GPUs of a machine
// cost little more than one.
func (f *Free) TakeAll(gpus []GPU) { f.all(gpus, true) }

// ReleaseAll marks used GPUs as free, as Release does for one.
func (f *Free) ReleaseAll(gpus []GPU) { f.all(gpus, false) }

func (f *Free) all(gpus []GPU, take bool) {
	t := f.top
	for i := 0; i < len(gpus); {
		m, mask, from := t.machineOf[gpus[i]], uint64(0), i
		first := t.first[m]
		if i+1 == len(gpus) {
			f.change(m, 1<<((gpus[i]-first)&63), take)
			return
		}
		size := uint(t.first[m+1] - first)
		for ; i < len(gpus); i++ {
			at := uint(gpus[i] - first) // large before the first
			if at >= size {
				break
			}
			mask |= 1 << (at & 63)
		}
		if bits.OnesCount64(mask) != i-from {
			f.refuse(m, mask, take) // one is listed twice
		}
		f.change(m, mask, take)
	}
}

// change takes or releases GPUs of a machine, bit i = its i-th GPU.
func (f *Free) change(m int32, mask uint64, take bool) {
	if f.carries && f.repeats(flipped{mask, m, take}) {
		return
	}
	wrong := f.mask[m] & mask
	if take {
		wrong ^= mask
	}
	if wrong != 0 {
		f.refuse(m, wrong, take)
	}
	f.flip(m, mask)
	f.journal = append(f.journal, flipped{mask, m, take})
}

// refuse panics with the first of the GPUs of a machine among which one is taken although it is not
// free, or released although it is.
func (f *Free) refuse(m int32, wrong uint64, take bool) {
	g, done := f.top.first[m]+GPU(bits.TrailingZeros64(wrong)), "released"
	if take {
		done = "taken"
	}
	panic(fmt.Sprintf("cluster: GPU %d %s twice", g, done))
}

// flip takes GPUs of a machine that are free, or releases such that are not; bit i = its i-th GPU.
func (f *Free) flip(m int32, mask uint64) {
	now := f.mask[m] ^ mask
	f.mask[m] = now
	if n := bits.OnesCount64(mask); now&mask != 0 {
		f.most[LevelCluster] += n
	} else {
		f.most[LevelCluster] -= n
	}
	if !f.later[m] {
		f.later[m] = true
		f.late = append(f.late, m)
	}
	if f.ofType != nil {
		f.ofType[f.top.typeOf[m]].flip(m, mask)
	}
}

// Mark is a point to roll back to.
func (f *Free) Mark() int { return len(f.journal) }

// Rollback undoes every Take and Release since mark, but for what Hold holds.
func (f *Free) Rollback(mark int) {
	mark = max(mark, f.kept)
	for n := len(f.journal) - 1; n >= mark; n-- {
		f.flip(f.journal[n].m, f.journal[n].mask)
	}
	f.journal = f.journal[:mark]
}

// Commit forgets the journal: what was done stays.
func (f *Free) Commit() {
	if !f.carries {
		f.journal, f.kept = f.journal[:0], 0
	}
}

// CopyFrom makes f equal to o, which must be over the same topology.
func (f *Free) CopyFrom(o *Free) {
	copy(f.mask, o.mask)
	copy(f.seen, o.seen)
	copy(f.later, o.later)
	f.late = append(f.late[:0], o.late...)
	f.mach.copyFrom(&o.mach)
	if f.slot != &f.mach {
		f.slot.copyFrom(o.slot)
	}
	f.rack.copyFrom(&o.rack)
	f.wide.copyFrom(&o.wide)
	for i := range f.ofType {
		f.ofType[i].CopyFrom(o.ofType[i])
	}
	f.most = o.most
	f.journal, f.carries, f.done, f.kept = append(f.journal[:0], o.journal...), o.carries, o.done, o.kept
}

// fewest appends the lowest g free GPUs of mask, offset by first.
func fewest(dst []GPU, first GPU, mask uint64, g int) []GPU {
	for range g {
		dst = append(dst, first+GPU(bits.TrailingZeros64(mask)))
		mask &= mask - 1
	}
	return dst
}
