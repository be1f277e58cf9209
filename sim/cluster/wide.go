package cluster

import (
	"math/bits"
	"slices"
)

// wide indexes what only places on several machines need. It is brought up to date when such a place
// is looked for: most jobs run on one machine.
type wide struct {
	inner bitset   // machines keyed within their rack, for filling a rack with few machines
	whole units    // racks by machines of the largest size that are wholly free
	avail bitset   // machines with a free GPU
	racks []int32  // rack -> free GPUs as the set of Free.rack has it
	seen  []uint64 // machine -> free GPUs as this index has them
	late  []int32  // machines that may differ from that
	later []bool   // machine -> it is in late
}

func newWide(f *Free) wide {
	t := f.top
	w := wide{whole: newUnits(t.Racks(), t.maxInRack), avail: newBitset(t.Machines()),
		inner: newBitset((t.maxMach + 1) * t.Machines()), racks: slices.Clone(f.rack.free), seen: slices.Clone(f.seen),
		later: make([]bool, t.Machines())}
	for m := range t.Machines() {
		w.avail.set(m)
		w.inner.set(t.innerKey(m, bits.OnesCount64(f.seen[m])))
	}
	for r := range t.Racks() {
		n := 0
		for m := t.rackFirst[r]; m < t.rackFirst[r+1]; m++ {
			if int(f.mach.free[m]) == t.maxMach {
				n++
			}
		}
		w.whole.put(r, n)
	}
	return w
}

// note has a machine looked at when the index is brought up to date.
func (w *wide) note(m int32) {
	if !w.later[m] {
		w.later[m] = true
		w.late = append(w.late, m)
	}
}

// indexWide brings all indices up to date.
func (f *Free) indexWide() {
	f.index()
	w := &f.wide
	for _, m := range w.late {
		w.later[m] = false
		was, now := bits.OnesCount64(w.seen[m]), bits.OnesCount64(f.seen[m])
		w.seen[m] = f.seen[m]
		if was != now {
			f.rewide(int(m), was, now)
		}
	}
	w.late = w.late[:0]
}

// rewide puts a machine, and its rack, where the number of their free GPUs belongs.
func (f *Free) rewide(m, was, now int) {
	t, w := f.top, &f.wide
	w.inner.move(t.innerKey(m, was), t.innerKey(m, now))
	if now == 0 {
		w.avail.clear(m)
	} else if was == 0 {
		w.avail.set(m)
	}
	rack := int(t.rackOf[m])
	if is := f.rack.free[rack]; is != w.racks[rack] {
		f.rack.set.move(int(w.racks[rack])*f.rack.n+rack, int(is)*f.rack.n+rack)
		w.racks[rack] = is
	}
	switch t.maxMach {
	case was:
		w.whole.change(rack, -1)
	case now:
		w.whole.change(rack, 1)
	}
}

// innerKey orders a rack's machines by free GPUs; racks occupy disjoint runs of keys.
func (t *Topology) innerKey(m, free int) int {
	r := t.rackOf[m]
	lo, hi := int(t.rackFirst[r]), int(t.rackFirst[r+1])
	return (t.maxMach+1)*lo + free*(hi-lo) + m - lo
}

func (w *wide) copyFrom(o *wide) {
	w.inner.copyFrom(&o.inner)
	w.whole.copyFrom(&o.whole)
	w.avail.copyFrom(&o.avail)
	copy(w.racks, o.racks)
	copy(w.seen, o.seen)
	copy(w.later, o.later)
	w.late = append(w.late[:0], o.late...)
}
