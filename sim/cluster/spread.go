package cluster

import (
	"math/bits"
	"slices"
)

// Scatter appends g free GPUs, ascending, spread one by one over the machines with
// most free GPUs, lowest index first: the opposite of consolidation. It reports
// whether there are g free GPUs.
func (f *Free) Scatter(dst []GPU, g int) ([]GPU, bool) {
	if g > f.Total() {
		return dst, false
	}
	f.index()
	n := len(dst)
	size, set := f.mach.n, &f.mach.set
	for depth := 0; g > 0; depth++ {
		// Pass `depth` takes the depth-th free GPU of every machine that has one more.
		for k := set.prev(len(set.levels[0])<<6 - 1); g > 0 && k >= 0; k = set.prev(k/size*size - 1) {
			free := k / size
			if free <= depth {
				break
			}
			for e := set.next(free * size); g > 0 && e >= 0 && e < (free+1)*size; e = set.next(e + 1) {
				dst = append(dst, f.nth(e%size, depth))
				g--
			}
		}
	}
	slices.Sort(dst[n:])
	return dst, true
}

// nth is the i-th free GPU of a machine.
func (f *Free) nth(m, i int) GPU {
	mask := f.mask[m]
	for range i {
		mask &= mask - 1
	}
	return f.top.first[m] + GPU(bits.TrailingZeros64(mask))
}
