package speed

import (
	"cmp"
	"slices"

	"tarry/sim/cluster"
)

// candidates are the compact placements on the idle cluster: from the fewest machines that hold the
// job to twice as many, in as few racks as possible and in as many, divided evenly and not, and in
// each number of slots. The tightest is nearly always the fastest, but not always: an odd job on
// two machines may be faster if each of their slots has a GPU of it.
func (b *BestShape) candidates(a asked) [][]cluster.GPU {
	if known, ok := b.shapes[a]; ok {
		return known
	}
	var out [][]cluster.GPU
	free := cluster.NewFree(b.top)
	types := b.top.Types()
	if a.typ != "" {
		types = []string{a.typ}
	} else if len(types) > 1 {
		out = b.compact(free, a.gpus, out)
	}
	for _, typ := range types {
		if of := free.Of(typ); of != nil {
			out = b.compact(of, a.gpus, out)
		}
	}
	b.shapes[a] = out
	return out
}

// compact appends the candidates of a free list.
func (b *BestShape) compact(f *cluster.Free, n int, out [][]cluster.GPU) [][]cluster.GPU {
	for _, order := range [...][]int{b.byRack(f), b.round(f)} {
		least, room := 0, 0
		for k, m := range order {
			if room += f.InMachine(m); room < n {
				continue
			}
			if least == 0 {
				least = k + 1
			}
			if k+1 > n || k+1 > 2*least {
				break
			}
			for _, counts := range [...][]int{b.even(f, order[:k+1], n), b.filled(f, order[:k+1], n, 1),
				b.filled(f, order[:k+1], n, -1)} {
				out = b.slotted(order[:k+1], counts, out)
			}
		}
	}
	return out
}

// slotted appends the placement of counts[i] GPUs on machines[i] in each number of slots.
func (b *BestShape) slotted(machines, counts []int, out [][]cluster.GPU) [][]cluster.GPU {
	for extra := 0; ; extra++ {
		gpus, ok := b.inSlots(machines, counts, extra)
		if !ok {
			return out
		}
		if !slices.ContainsFunc(out, func(known []cluster.GPU) bool { return slices.Equal(known, gpus) }) {
			out = append(out, gpus)
		}
	}
}

// byRack lists the machines with GPUs of a free list: racks with most GPUs first, in each rack
// machines with most GPUs first.
func (b *BestShape) byRack(f *cluster.Free) []int {
	var out []int
	for m := range b.top.Machines() {
		if f.InMachine(m) > 0 {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(x, y int) int {
		rx, ry := b.top.Rack(x), b.top.Rack(y)
		return cmp.Or(cmp.Compare(f.InRack(ry), f.InRack(rx)), cmp.Compare(rx, ry),
			cmp.Compare(f.InMachine(y), f.InMachine(x)))
	})
	return out
}

// round lists them with the largest of each rack first, then the second of each.
func (b *BestShape) round(f *cluster.Free) []int {
	out, turn := b.byRack(f), map[int]int{}
	at := make(map[int]int, len(out))
	for _, m := range out {
		at[m] = turn[b.top.Rack(m)]
		turn[b.top.Rack(m)]++
	}
	slices.SortStableFunc(out, func(x, y int) int {
		return cmp.Or(cmp.Compare(at[x], at[y]), cmp.Compare(f.InMachine(y), f.InMachine(x)))
	})
	return out
}

// even divides n GPUs over machines that have room for them, at least one each and as evenly as it
// goes.
func (b *BestShape) even(f *cluster.Free, machines []int, n int) []int {
	counts := make([]int, len(machines))
	for n > 0 {
		for i, m := range machines {
			if n > 0 && counts[i] < f.InMachine(m) {
				counts[i]++
				n--
			}
		}
	}
	return counts
}

// filled divides n GPUs over machines, at least one each: the first are filled before the next, or
// with step -1 the last.
func (b *BestShape) filled(f *cluster.Free, machines []int, n, step int) []int {
	counts := make([]int, len(machines))
	for i := range counts {
		counts[i] = 1
	}
	n -= len(machines)
	from := 0
	if step < 0 {
		from = len(machines) - 1
	}
	for i := from; i >= 0 && i < len(machines); i += step {
		more := min(n, f.InMachine(machines[i])-1)
		counts[i] += more
		n -= more
	}
	return counts
}

// inSlots takes counts[i] GPUs of machines[i], in extra slots more than are needed; false if there
// are not so many.
func (b *BestShape) inSlots(machines, counts []int, extra int) ([]cluster.GPU, bool) {
	var out []cluster.GPU
	for i, m := range machines {
		size := b.top.SlotSize(m)
		lo, hi := b.top.MachineSlots(m)
		least := (counts[i] + size - 1) / size
		used := min(least+extra, counts[i], hi-lo)
		extra -= used - least
		first, _ := b.top.MachineGPUs(m)
		left := counts[i]
		for s := range used {
			n := min(size, left-(used-s-1)) // one at least for each slot behind
			for k := range n {
				out = append(out, first+cluster.GPU(s*size+k))
			}
			left -= n
		}
	}
	slices.Sort(out)
	return out, extra == 0
}
