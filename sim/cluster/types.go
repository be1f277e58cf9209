package cluster

import (
	"cmp"
	"slices"
	"strings"
)

// fastest orders types by speed, the fastest first, equals by name.
func (s *Spec) fastest(types []string) []int {
	speeds, order := make([]float64, len(types)), make([]int, len(types))
	for i, typ := range types {
		speeds[i], order[i] = 1, i
		for name, v := range s.Speeds {
			if strings.EqualFold(name, typ) {
				speeds[i] = v
			}
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(speeds[b], speeds[a]), cmp.Compare(strings.ToLower(types[a]),
			strings.ToLower(types[b])))
	})
	return order
}

// Fastest lists the types of the list as arguments of Type, the fastest first; nil for a list of
// one type.
func (f *Free) Fastest() []int {
	if f.ofType == nil {
		return nil
	}
	return f.top.fastest
}

// atFastest is At by best fit where there are several types, in a unit that is there: of one type
// if it can be, that with the tightest unit, of equals the fastest; at the level of the cluster the
// fastest that has so many. Else GPUs of several types.
func (f *Free) atFastest(dst []GPU, g int, l Level) []GPU {
	best, least := -1, 0
	for _, i := range f.top.fastest {
		of := f.ofType[i]
		if of.Largest(l) < g {
			continue
		}
		if n := of.tightness(g, l); best < 0 || n < least {
			best, least = i, n
		}
	}
	switch {
	case best >= 0:
		return f.ofType[best].at(dst, g, l, BestFit)
	case l == LevelCluster:
		return f.ofSeveral(dst, g)
	}
	return f.at(dst, g, l, BestFit)
}

// tightness is smaller the better a unit of a level fits that has g free GPUs.
func (f *Free) tightness(g int, l Level) int {
	f.indexWide()
	switch l {
	case LevelSlot:
		return int(f.slot.free[f.slot.best(g)])
	case LevelMachine:
		return int(f.mach.free[f.mach.best(g)])
	case LevelRack:
		r, n := f.bestRack(g), f.top.maxMach
		if g >= n && f.wide.whole.best((g+n-1)/n) >= 0 {
			return int(f.wide.whole.free[r])
		}
		return f.top.Machines() + int(f.rack.free[r])
	}
	return 0
}

// ofSeveral appends g free GPUs of several types: of the machines with most, of equals the fastest
// type's.
func (f *Free) ofSeveral(dst []GPU, g int) []GPU {
	n := len(dst)
	for size := f.top.maxMach; size > 0 && g > 0; size-- {
		for _, i := range f.top.fastest {
			for m := 0; m < f.top.Machines() && g > 0; m++ {
				if int(f.top.typeOf[m]) == i && f.InMachine(m) == size {
					k := min(g, size)
					dst = f.FromMachine(dst, m, k, BestFit)
					g -= k
				}
			}
		}
	}
	slices.Sort(dst[n:])
	return dst
}
