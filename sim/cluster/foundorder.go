package cluster

// The first-found rule is from the simulator of Dally's authors: it counts the free
// GPUs of each slot and machine in a hash map and takes the first entry that is large
// enough. Its outcome therefore depends on the order in which that map lists its keys. The
// order is reproduced here from the map's published behaviour (chained buckets, keys
// hashed by the exclusive or of their indices, new entries first in their chain, twice the
// buckets when three quarters full, listed from the last bucket down).

// foundOrder is the scratch memory of one emulated map.
type foundOrder struct {
	heads []int32 // bucket -> first entry + 1
	next  []int32 // entry -> next entry + 1
	hash  []uint32
	unit  []int32
	spare []int32
}

const foundBuckets = 16

func (o *foundOrder) reset() {
	o.heads = append(o.heads[:0], make([]int32, foundBuckets)...)
	o.next, o.hash, o.unit = o.next[:0], o.hash[:0], o.unit[:0]
}

// scramble spreads a key's hash over the buckets.
func scramble(h uint32) uint32 {
	h += ^(h << 9)
	h ^= h >> 14
	h += h << 4
	return h ^ h>>10
}

func (o *foundOrder) add(unit int, key uint32) {
	h := scramble(key)
	b := h & uint32(len(o.heads)-1)
	o.unit = append(o.unit, int32(unit))
	o.hash = append(o.hash, h)
	o.next = append(o.next, o.heads[b])
	o.heads[b] = int32(len(o.unit))
	if len(o.unit)*4 >= len(o.heads)*3 {
		o.grow()
	}
}

// grow doubles the buckets; every chain is taken from its head, so its order turns round.
func (o *foundOrder) grow() {
	n := 2 * len(o.heads)
	o.spare = append(o.spare[:0], make([]int32, n)...)
	for i := len(o.heads) - 1; i >= 0; i-- {
		for e := o.heads[i]; e != 0; {
			after := o.next[e-1]
			b := o.hash[e-1] & uint32(n-1)
			o.next[e-1] = o.spare[b]
			o.spare[b] = e
			e = after
		}
	}
	o.heads, o.spare = o.spare, o.heads
}

// first is the first unit in the map's order that has at least g free GPUs; -1 if there is none.
func (o *foundOrder) first(free []int32, g int) int {
	for i := len(o.heads) - 1; i >= 0; i-- {
		for e := o.heads[i]; e != 0; e = o.next[e-1] {
			if u := o.unit[e-1]; int(free[u]) >= g {
				return int(u)
			}
		}
	}
	return -1
}

// foundMachine is the machine that first-found takes for g GPUs. It looks at every machine
// with a free GPU, as the original does.
func (f *Free) foundMachine(g int) int {
	f.found.reset()
	for m := f.wide.avail.next(0); m >= 0; m = f.wide.avail.next(m + 1) {
		r := f.top.rackOf[m]
		f.found.add(m, uint32(r)^uint32(m-int(f.top.rackFirst[r])))
	}
	return f.found.first(f.mach.free, g)
}

// foundSlot is the slot that first-found takes for g GPUs.
func (f *Free) foundSlot(g int) int {
	f.found.reset()
	for m := f.wide.avail.next(0); m >= 0; m = f.wide.avail.next(m + 1) {
		r := f.top.rackOf[m]
		key := uint32(r) ^ uint32(m-int(f.top.rackFirst[r]))
		for s := f.top.slotFirst[m]; s < f.top.slotFirst[m+1]; s++ {
			if f.slot.free[s] > 0 {
				f.found.add(int(s), key^uint32(s-f.top.slotFirst[m]))
			}
		}
	}
	return f.found.first(f.slot.free, g)
}
