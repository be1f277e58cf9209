package pal

import (
	"cmp"
	"math/bits"
	"slices"

	"tarry/sim/cluster"
)

// chooser chooses GPUs among free ones; it keeps what it needs between calls.
type chooser struct {
	gpus  []cluster.GPU
	piles []pile
}

// pile is the GPUs of one score that a machine has free.
type pile struct {
	machine, off int32
	mask         uint64
}

// matrix walks the L x V matrix of a class: the n GPUs, ascending, of the first pair that can be
// met. n GPUs must be free.
func (s *chooser) matrix(t *cluster.Topology, f *cluster.Free, c *class, n int) []cluster.GPU {
	slots := t.Slots() > t.Machines()
	for _, e := range c.matrix {
		lo, hi, only := -1, 0, ^uint64(0)
		switch e.level {
		case cluster.LevelSlot:
			if slots {
				lo, only = s.slot(t, f, c.upTo[e.score], n)
			}
			hi = lo + 1
		case cluster.LevelMachine:
			lo = s.machine(t, f, c.upTo[e.score], n)
			hi = lo + 1
		case cluster.LevelRack:
			if r := s.rack(t, f, c.upTo[e.score], n); r >= 0 {
				lo, hi = t.RackMachines(r)
			}
		default:
			if has(f, c.upTo[e.score], 0, t.Machines(), n) >= n {
				lo, hi = 0, t.Machines()
			}
		}
		if lo >= 0 {
			return s.lowest(t, f, c, lo, hi, only, n)
		}
	}
	return nil
}

// slot is the machine and the mask of the slot with fewest free GPUs that has n of upTo free; -1
// when none has.
func (s *chooser) slot(t *cluster.Topology, f *cluster.Free, upTo []uint64, n int) (machine int, only uint64) {
	machine, least := -1, 0
	if f.Largest(cluster.LevelSlot) < n {
		return machine, 0
	}
	for m := range upTo {
		free := f.Mask(m)
		if bits.OnesCount64(free&upTo[m]) < n {
			continue
		}
		size := t.SlotSize(m)
		first, end := t.MachineGPUs(m)
		for at := 0; at < int(end-first); at += size {
			in := (uint64(1)<<size - 1) << at
			if bits.OnesCount64(free&upTo[m]&in) < n {
				continue
			}
			if k := bits.OnesCount64(free & in); machine < 0 || k < least {
				machine, only, least = m, in, k
			}
		}
	}
	return machine, only
}

// machine is the machine with fewest free GPUs that has n of upTo free; -1 when none has.
func (s *chooser) machine(_ *cluster.Topology, f *cluster.Free, upTo []uint64, n int) int {
	best, least := -1, 0
	if f.Largest(cluster.LevelMachine) < n {
		return best
	}
	for m := range upTo {
		free := f.Mask(m)
		if k := bits.OnesCount64(free); bits.OnesCount64(free&upTo[m]) >= n && (best < 0 || k < least) {
			best, least = m, k
		}
	}
	return best
}

// rack is the same of racks.
func (s *chooser) rack(t *cluster.Topology, f *cluster.Free, upTo []uint64, n int) int {
	best, least := -1, 0
	if f.Largest(cluster.LevelRack) < n {
		return best
	}
	for r := range t.Racks() {
		k := f.InRack(r)
		if k < n || best >= 0 && k >= least {
			continue
		}
		if lo, hi := t.RackMachines(r); has(f, upTo, lo, hi, n) >= n {
			best, least = r, k
		}
	}
	return best
}

// has counts free GPUs of upTo on machines lo to hi-1, up to at least n.
func has(f *cluster.Free, upTo []uint64, lo, hi, n int) int {
	k := 0
	for m := lo; m < hi && k < n; m++ {
		k += bits.OnesCount64(f.Mask(m) & upTo[m])
	}
	return k
}

// lowest is PM-First on machines lo to hi-1, there on the GPUs of a mask: the n free GPUs with the
// lowest scores, among equals from the machine whose number of them is next to n.
func (s *chooser) lowest(t *cluster.Topology, f *cluster.Free, c *class, lo, hi int, only uint64, n int) []cluster.GPU {
	s.gpus = s.gpus[:0]
	for v := 0; v < len(c.levels) && len(s.gpus) < n; v++ {
		s.piles = s.piles[:0]
		found := 0
		for m := lo; m < hi; m++ {
			mask := f.Mask(m) & c.upTo[v][m] & only
			if v > 0 {
				mask &^= c.upTo[v-1][m]
			}
			if k := bits.OnesCount64(mask); k > 0 {
				s.piles = append(s.piles, pile{int32(m), int32(max(k-n, n-k)), mask})
				found += k
			}
		}
		if found > n-len(s.gpus) { // not all are taken
			slices.SortFunc(s.piles, func(a, b pile) int {
				if x := cmp.Compare(a.off, b.off); x != 0 {
					return x
				}
				return cmp.Compare(a.machine, b.machine)
			})
		}
		for _, p := range s.piles {
			first, _ := t.MachineGPUs(int(p.machine))
			for mask := p.mask; mask != 0 && len(s.gpus) < n; mask &= mask - 1 {
				s.gpus = append(s.gpus, first+cluster.GPU(bits.TrailingZeros64(mask)))
			}
		}
	}
	slices.Sort(s.gpus)
	return s.gpus
}
