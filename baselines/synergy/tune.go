package synergy

import (
	"cmp"
	"slices"

	"tarry/sim/cluster"
)

// proportional gives every job its part by GPUs.
func (k *packer) proportional() {
	k.bySize()
	for i := range k.list {
		k.place(i, k.list[i].fair, true)
	}
}

// greedy gives jobs in their order what they want, or passes them over.
func (k *packer) greedy() {
	for i := range k.list {
		if e := &k.list[i]; k.free.Total() >= int(e.gpus) && !k.place(i, e.want, false) && k.placed == 0 {
			k.place(i, e.fair, false)
		}
	}
}

// tune places every job: with what it wants, else with its part by GPUs, for which others are cut
// to theirs where it must be.
func (k *packer) tune() {
	k.bySize()
	for i := range k.list {
		e := &k.list[i]
		least := e.want
		if !e.want.within(e.fair) {
			least = e.fair
		}
		if k.place(i, e.want, false) || least != e.want && k.place(i, least, false) {
			continue
		}
		if k.place(i, least, true) {
			k.reclaim(e)
		}
	}
}

// bySize orders jobs by GPUs, most first, and among equals jobs that hold GPUs before others; what
// they want of CPU, then of memory, comes before the order of the queue. Jobs that insist on a type
// go before all others, which could take its GPUs.
func (k *packer) bySize() {
	slices.SortStableFunc(k.list, func(a, b entry) int {
		return cmp.Or(-cmp.Compare(min(1, len(a.typ)), min(1, len(b.typ))), cmp.Compare(b.gpus, a.gpus),
			cmp.Compare(first(a.held), first(b.held)), cmp.Compare(b.want.cpu, a.want.cpu),
			cmp.Compare(b.want.mem, a.want.mem))
	})
}

// first is 0 for jobs that hold GPUs, 1 for others.
func first(held []cluster.GPU) int {
	if held != nil {
		return 0
	}
	return 1
}

// reclaim cuts jobs to their parts by GPUs until no machine gives out more than it has, beginning
// with the machines of a job. A job that is cut may then have more of the other resource, on other
// machines too, which are looked at in turn. It ends: each cut is the only one of its job, and when
// all have their parts, or less, everything fits.
func (k *packer) reclaim(e *entry) {
	k.dirty = k.machines(e, k.dirty[:0])
	for len(k.dirty) > 0 {
		m := k.dirty[len(k.dirty)-1]
		x := k.victim(int(m))
		if x == nil {
			k.dirty = k.dirty[:len(k.dirty)-1]
			continue
		}
		k.set(x, x.fair)
		k.dirty = k.machines(x, k.dirty)
	}
}

// machines appends the machines of a job.
func (k *packer) machines(e *entry, dst []int32) []int32 {
	k.shape = k.top.ShapeOf(k.shape[:0], e.got)
	for i := range k.shape {
		dst = append(dst, k.shape[i].Machine)
	}
	return dst
}

// victim is who is cut on a machine that gives out more than it has: of the jobs with more than
// their parts of what is short there, one on the fewest machines, then with most CPU, then with
// most memory; nil where nothing is short.
func (k *packer) victim(m int) *entry {
	cpu, mem := k.cpu[m] < 0, k.mem[m] < 0
	if !cpu && !mem {
		return nil
	}
	var best *entry
	wide := 0
	for _, i := range k.on[m] {
		e := &k.list[i]
		if !(cpu && e.has.cpu > e.fair.cpu || mem && e.has.mem > e.fair.mem) {
			continue
		}
		k.shape = k.top.ShapeOf(k.shape[:0], e.got)
		n := len(k.shape)
		if best == nil || cmp.Or(cmp.Compare(n, wide), cmp.Compare(best.has.cpu, e.has.cpu),
			cmp.Compare(best.has.mem, e.has.mem)) < 0 {
			best, wide = e, n
		}
	}
	return best
}
