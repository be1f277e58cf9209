package cluster

import "slices"

// Rule states which of several fitting units is taken.
type Rule uint8

const (
	// BestFit takes the fitting unit with the fewest free GPUs, lowest index first, and fills a
	// rack or the cluster from its emptiest machines so that few machines are touched. For the same
	// end a job of a machine's size or more goes to the rack with the fewest wholly free machines
	// that are enough, if there is one. Where several types are free, equals go by type, the
	// fastest first (Topology.Fastest); a unit is of one type if it can be.
	BestFit Rule = iota
	// FirstFound takes the first fitting slot or machine in the order of the authors' simulator of
	// Dally (foundorder.go), the first fitting rack, and GPUs in list order. It looks at every free
	// machine.
	FirstFound
)

// String is the name used on the command line.
func (r Rule) String() string { return [...]string{"best-fit", "first-found"}[r] }

// At appends g free GPUs, ascending, that lie in one unit of level l, and reports
// whether there is such a unit. It changes nothing: Take them to plan with them.
// LevelGPU is treated as LevelSlot. Within a unit the rule applies to the smaller units.
func (f *Free) At(dst []GPU, g int, l Level, rule Rule) ([]GPU, bool) {
	if g > f.Largest(max(l, LevelSlot)) {
		return dst, false
	}
	if f.ofType != nil && rule == BestFit {
		return f.atFastest(dst, g, max(l, LevelSlot)), true
	}
	return f.at(dst, g, l, rule), true
}

// at is At for units that are there, whatever the types.
func (f *Free) at(dst []GPU, g int, l Level, rule Rule) []GPU {
	f.index()
	n := len(dst)
	if l >= LevelRack || rule == FirstFound {
		f.indexWide()
	}
	switch l {
	case LevelGPU, LevelSlot:
		s := f.slot.best(g)
		if rule == FirstFound {
			s = f.foundSlot(g)
		}
		dst = f.fromSlot(dst, s, g)
	case LevelMachine:
		m := f.mach.best(g)
		if rule == FirstFound {
			m = f.foundMachine(g)
		}
		dst = f.FromMachine(dst, m, g, rule)
	case LevelRack:
		r := f.bestRack(g)
		if rule == FirstFound {
			r = f.rack.lowest(g)
		}
		dst = f.FromRack(dst, r, g, rule)
	default:
		dst = f.fromCluster(dst, g, rule)
	}
	if l > LevelMachine || l == LevelMachine && f.slot != &f.mach {
		slices.Sort(dst[n:])
	}
	return dst
}

// bestRack is the rack for g GPUs: for a machine's worth or more the one with the fewest wholly
// free machines that are enough, so that the fewest machines are touched; else, or when there is
// none, the one with the fewest free GPUs.
func (f *Free) bestRack(g int) int {
	if n := f.top.maxMach; g >= n {
		if r := f.wide.whole.best((g + n - 1) / n); r >= 0 {
			return r
		}
	}
	return f.rack.best(g)
}

// lowest is the first unit with at least g free GPUs; -1 = none has.
func (u *units) lowest(g int) int {
	best := -1
	for k := u.set.next(g * u.n); k >= 0; k = u.set.next((k/u.n + 1) * u.n) {
		if x := k % u.n; best < 0 || x < best {
			best = x
		}
	}
	return best
}

// Fullest is the machine with the fewest free GPUs that has g, of equals the lowest; -1 = none has.
func (f *Free) Fullest(g int) int {
	f.index()
	return f.mach.best(g)
}

// Lowest is the lowest machine with g free GPUs; -1 = none has.
func (f *Free) Lowest(g int) int {
	f.index()
	return f.mach.lowest(g)
}

// With is the lowest machine, from one on, with exactly n free GPUs, 0 < n; -1 = there is none.
func (f *Free) With(n, from int) int {
	f.index()
	if from >= f.mach.n {
		return -1
	}
	k := f.mach.set.next(n*f.mach.n + from)
	if k < 0 || k >= (n+1)*f.mach.n {
		return -1
	}
	return k - n*f.mach.n
}

func (f *Free) slotMask(s int) (GPU, uint64) {
	m := f.top.slotMach[s]
	size := int(f.top.slotSize[m])
	off := (s - int(f.top.slotFirst[m])) * size
	return f.top.first[m], f.mask[m] & (^uint64(0) >> (64 - size) << off)
}

func (f *Free) fromSlot(dst []GPU, s, g int) []GPU {
	first, mask := f.slotMask(s)
	return fewest(dst, first, mask, g)
}

// FromMachine appends g free GPUs of machine m, which must have them. With BestFit it
// uses the tightest slot that holds all, else the emptiest slots first; with
// FirstFound the lowest indices.
func (f *Free) FromMachine(dst []GPU, m, g int, rule Rule) []GPU {
	t := f.top
	lo, hi := int(t.slotFirst[m]), int(t.slotFirst[m+1])
	if rule == FirstFound || hi-lo == 1 {
		return fewest(dst, t.first[m], f.mask[m], g)
	}
	f.index()
	var used uint64
	for g > 0 {
		best, most := -1, -1
		for s := lo; s < hi; s++ {
			n := int(f.slot.free[s])
			if used>>(s-lo)&1 != 0 || n == 0 {
				continue
			}
			if n >= g && (best < 0 || n < int(f.slot.free[best])) {
				best = s
			}
			if most < 0 || n > int(f.slot.free[most]) {
				most = s
			}
		}
		if best < 0 {
			best = most
		}
		used |= 1 << (best - lo)
		n := min(g, int(f.slot.free[best]))
		dst = f.fromSlot(dst, best, n)
		g -= n
	}
	return dst
}

// FromRack appends g free GPUs of rack r, which must have them. With BestFit the
// machines with most free GPUs are emptied first and the rest comes from the machine
// that it fits best, so the fewest machines are touched; with FirstFound in list order.
func (f *Free) FromRack(dst []GPU, r, g int, rule Rule) []GPU {
	f.indexWide()
	t := f.top
	lo, hi := int(t.rackFirst[r]), int(t.rackFirst[r+1])
	if rule == FirstFound {
		return f.inOrder(dst, lo, g)
	}
	size, base := hi-lo, (t.maxMach+1)*lo
	set := &f.wide.inner
	// Keys fall by level of free GPUs; inside a level the lowest machine comes first.
	for k := set.prev(base + (t.maxMach+1)*size - 1); ; k = set.prev(base + (k-base)/size*size - 1) {
		free := (k - base) / size
		for e := set.next(base + free*size); e >= 0 && e < base+(free+1)*size; e = set.next(e + 1) {
			if g < free {
				// The remainder fits on one machine. A lower level that holds it is not yet used.
				if b := set.next(base + g*size); b < base+free*size {
					e = b
				}
				return f.FromMachine(dst, lo+(e-base)%size, g, rule)
			}
			dst = f.FromMachine(dst, lo+(e-base)%size, free, rule)
			if g -= free; g == 0 {
				return dst
			}
		}
	}
}

// inOrder appends g free GPUs in list order from machine m on.
func (f *Free) inOrder(dst []GPU, m, g int) []GPU {
	for m = f.wide.avail.next(m); g > 0; m = f.wide.avail.next(m + 1) {
		n := min(g, int(f.mach.free[m]))
		dst = fewest(dst, f.top.first[m], f.mask[m], n)
		g -= n
	}
	return dst
}

// fromCluster appends g free GPUs of any racks: with BestFit whole racks with most free
// first and the remainder from the rack that it fits best; with FirstFound in list order.
func (f *Free) fromCluster(dst []GPU, g int, rule Rule) []GPU {
	if rule == FirstFound {
		return f.inOrder(dst, 0, g)
	}
	n, set := f.rack.n, &f.rack.set
	for k := set.prev(len(set.levels[0])<<6 - 1); ; k = set.prev(k/n*n - 1) {
		free := k / n
		for e := set.next(free * n); e >= 0 && e < (free+1)*n; e = set.next(e + 1) {
			if g < free {
				if b := set.next(g * n); b < free*n {
					e = b
				}
				return f.FromRack(dst, e%n, g, rule)
			}
			dst = f.FromRack(dst, e%n, free, rule)
			if g -= free; g == 0 {
				return dst
			}
		}
	}
}
