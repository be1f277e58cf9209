// Package buddy places jobs in aligned blocks of a power of two GPUs within machines, or in whole
// machines: with powers of two, placed from the widest on, nothing is left in pieces that are too
// small. A job whose number does not change stays where it is, unless a wider one needs the place.
// GPUs on which a preempted job writes its checkpoint are left out; a job that finds too few waits for
// them, or stays as it is.
package buddy

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Placer leads from what runs to the numbers of GPUs that a policy wants. Make it with New; it belongs
// to one run.
type Placer struct {
	// Near places jobs by the rule of the run, where they grow near what they have, and not in blocks.
	// So are jobs placed that ask for a GPU type, a share of GPUs, CPU or memory, and where machines
	// differ or GPUs are not up.
	Near   bool
	sizer  *plan.Sizer
	target plan.Target
	blocks blocks
}

// New makes a placer for one run.
func New(rule cluster.Rule) *Placer { return &Placer{sizer: plan.NewSizer(rule)} }

// Clone gives an independent copy. It is taken between decisions.
func (p *Placer) Clone() *Placer { return &Placer{Near: p.Near, sizer: p.sizer.Clone()} }

// Decide appends the decisions that give jobs their numbers of GPUs. It puts the jobs in order, the
// widest first. A running job that is not listed is preempted.
func (p *Placer) Decide(v *sim.View, counts []plan.Count, out []sim.Decision) []sim.Decision {
	slices.SortStableFunc(counts, func(a, b plan.Count) int { return cmp.Compare(b.GPUs, a.GPUs) })
	if !p.Near && !slices.ContainsFunc(counts, func(c plan.Count) bool { return !isPlain(v, c.Job) }) && p.blocks.fits(v) {
		return p.target.Decide(v, p.blocks.place(v, counts), out)
	}
	return p.sizer.Decide(v, counts, out)
}

// isPlain reports whether a job asks for whole GPUs of any type and nothing else.
func isPlain(v *sim.View, j sim.JobID) bool {
	k := v.Run(j).Knobs()
	return k.ShareMilli == 1000 && k.CPUMilli|k.MemMiB == 0 && v.Job(j).GPUType() == ""
}

// blocks places jobs in blocks.
type blocks struct {
	per    int32 // GPUs of a machine; 0 = not yet asked, -1 = machines differ
	taken  []bool
	stays  []bool // a narrower job holds the GPU and would stay
	store  []cluster.GPU
	wants  []plan.Want
	placed []bool
}

// fits reports whether the cluster has machines of equal size, all of whose GPUs are up and of one
// type.
func (b *blocks) fits(v *sim.View) bool {
	t := v.Topology()
	if b.per == 0 {
		lo, hi := t.MachineGPUs(0)
		b.per = int32(hi - lo)
		for m := range t.Machines() {
			if lo, hi := t.MachineGPUs(m); int32(hi-lo) != b.per {
				b.per = -1
			}
		}
		if len(t.Types()) > 1 {
			b.per = -1
		}
		b.taken, b.stays = make([]bool, t.GPUs()), make([]bool, t.GPUs())
	}
	return b.per > 0 && v.Usable() == t.GPUs()
}

// drain takes the GPUs of jobs that write their checkpoint, or will: jobs that run and are not
// counted.
func (b *blocks) drain(v *sim.View, counts []plan.Count) {
	if v.Draining() > 0 {
		for g := range b.taken {
			if o := v.Owner(cluster.GPU(g)); o != sim.NoJob && v.Run(o).State() == sim.Draining {
				b.taken[g] = true
			}
		}
	}
	kept := 0
	for i := range counts {
		if v.Run(counts[i].Job).State() == sim.Running {
			kept++
		}
	}
	if kept == len(v.Running()) {
		return
	}
	for _, j := range v.Running() {
		if v.Run(j).CheckpointTime() == 0 || slices.ContainsFunc(counts, func(c plan.Count) bool { return c.Job == j }) {
			continue
		}
		for _, g := range v.Run(j).Held() {
			b.taken[g] = true
		}
	}
}

// size is the block of a number of GPUs.
func (b *blocks) size(n int32) int32 {
	if n > b.per {
		return (n + b.per - 1) / b.per * b.per
	}
	s := int32(1)
	for s < n {
		s *= 2
	}
	return min(s, b.per)
}

// place chooses GPUs for jobs, the widest first; counts are in that order. The result is valid until
// the next call.
func (b *blocks) place(v *sim.View, counts []plan.Count) []plan.Want {
	clear(b.taken)
	clear(b.stays)
	b.store, b.wants, b.placed = b.store[:0], b.wants[:0], b.placed[:0]
	b.drain(v, counts)
	for i := range counts {
		held := v.Run(counts[i].Job).Held()
		if stay := len(held) == int(counts[i].GPUs) && b.block(held); stay {
			for _, g := range held {
				b.stays[g] = true
			}
		}
		b.wants = append(b.wants, plan.Want{Job: counts[i].Job, Lease: counts[i].Lease, Knobs: counts[i].Knobs})
		b.placed = append(b.placed, false)
	}
	for from := 0; from < len(counts); {
		to := from
		for to < len(counts) && counts[to].GPUs == counts[from].GPUs {
			held := v.Run(counts[to].Job).Held()
			if len(held) == int(counts[to].GPUs) && b.block(held) &&
				!slices.ContainsFunc(held, func(g cluster.GPU) bool { return b.taken[g] }) {
				b.take(to, held)
			}
			to++
		}
		for i := from; i < to; i++ {
			if !b.placed[i] {
				b.find(i, counts[i].GPUs)
			}
			if !b.placed[i] {
				b.wants[i].GPUs = v.Run(counts[i].Job).Held()
			}
		}
		from = to
	}
	return slices.DeleteFunc(b.wants, func(w plan.Want) bool { return len(w.GPUs) == 0 })
}

// block reports whether GPUs are the beginning of an aligned block.
func (b *blocks) block(gpus []cluster.GPU) bool {
	n := len(gpus)
	size := b.size(int32(n))
	at := int32(gpus[0])
	if size < b.per {
		at %= b.per
	}
	return int(gpus[n-1]-gpus[0]) == n-1 && (size >= b.per && int32(gpus[0])%b.per == 0 || size < b.per && at%size == 0)
}

// take gives a job GPUs.
func (b *blocks) take(i int, gpus []cluster.GPU) {
	from := len(b.store)
	b.store = append(b.store, gpus...)
	b.wants[i].GPUs, b.placed[i] = b.store[from:len(b.store):len(b.store)], true
	for _, g := range gpus {
		b.taken[g] = true
	}
}

// find gives a job the free block with the fewest GPUs of narrower jobs that would
// stay; any free GPUs where no block is free; none where there are too few.
func (b *blocks) find(i int, n int32) {
	step := min(b.size(n), b.per)
	best, fewest := int32(-1), int32(0)
	all := int32(len(b.taken))
	for at := int32(0); at+n <= all; at += step {
		if step < b.per && at/b.per != (at+n-1)/b.per { // a machine whose size is no power of two
			continue
		}
		moved, ok := int32(0), true
		for g := at; g < at+n && ok; g++ {
			if ok = !b.taken[g]; b.stays[g] {
				moved++
			}
		}
		if ok && (best < 0 || moved < fewest) {
			if best, fewest = at, moved; moved == 0 {
				break
			}
		}
	}
	from := len(b.store)
	if best >= 0 {
		for g := best; g < best+n; g++ {
			b.store = append(b.store, cluster.GPU(g))
		}
	}
	for g := int32(0); g < all && int32(len(b.store)-from) < n; g++ {
		if !b.taken[g] {
			b.store = append(b.store, cluster.GPU(g))
		}
	}
	gpus := b.store[from:]
	b.store = b.store[:from]
	if len(gpus) == int(n) {
		b.take(i, gpus)
	}
}
