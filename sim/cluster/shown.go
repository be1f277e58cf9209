package cluster

// NewShown gives a free list of no GPUs, for what Show puts into it: for queries, not for plans.
func NewShown(t *Topology) *Free {
	f := newFree(t)
	for m := range t.Machines() {
		f.Show(m, 0)
	}
	for range t.types {
		if len(t.types) > 1 {
			of := newFree(t)
			of.CopyFrom(f)
			f.ofType = append(f.ofType, of)
		}
	}
	return f
}

// Show makes the GPUs of a mask, bit i = the i-th GPU of the machine, the free ones on it. It
// is not in the journal.
func (f *Free) Show(machine int, mask uint64) {
	was := f.mask[machine]
	if gone := was &^ mask; gone != 0 {
		f.flip(int32(machine), gone)
	}
	if come := mask &^ was; come != 0 {
		f.flip(int32(machine), come)
	}
}

// Keep is the mask of the n GPUs of a machine that FromMachine would choose; it must have them.
func (f *Free) Keep(machine, n int, rule Rule) uint64 {
	var chosen [maxPerMachine]GPU
	mask := uint64(0)
	for _, g := range f.FromMachine(chosen[:0], machine, n, rule) {
		mask |= 1 << (g - f.top.first[machine])
	}
	return mask
}
