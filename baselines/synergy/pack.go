package synergy

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// entry is a job that may run in a round.
type entry struct {
	job  sim.JobID
	m    *matrix
	gpus int32
	typ  string // "" = any
	// fair is its part by GPUs, want what it is to have, with the throughput that this brings; has
	// is what it gets.
	fair, want  cell
	best, value float64
	has         cell
	held        []cluster.GPU // GPUs that it would keep
	got         []cluster.GPU // nil = it is not placed
}

// packer places jobs on machines with room for GPUs, CPU and memory. Its free list is taken from
// and given back to by the caller of open.
type packer struct {
	top      *cluster.Topology
	free     *cluster.Free
	cpu, mem []int64   // left of each machine
	on       [][]int32 // machine -> entries with GPUs there
	list     []entry
	arena    []cluster.GPU
	shape    cluster.Shape
	dirty    []int32
	spaces   []space
	placed   int
}

// space is how many GPUs a machine can give to a job.
type space struct{ machine, n int32 }

// unbound is what is left of a machine that states nothing.
const unbound = math.MaxInt64 / 2

// open forgets all places, but for the arena.
func (k *packer) open(free *cluster.Free) {
	k.free, k.top, k.placed = free, free.Topology(), 0
	n := k.top.Machines()
	if len(k.cpu) != n {
		k.cpu, k.mem, k.on = make([]int64, n), make([]int64, n), make([][]int32, n)
	}
	for m := range n {
		k.cpu[m], k.mem[m], k.on[m] = unbound, unbound, k.on[m][:0]
		if c := k.top.CPUMilli(m); c > 0 {
			k.cpu[m] = c
		}
		if c := k.top.MemMiB(m); c > 0 {
			k.mem[m] = c
		}
	}
	for i := range k.list {
		e := &k.list[i]
		e.got, e.has, e.value = nil, cell{}, 0
	}
}

// sum is what the jobs that are placed do, over what they would do with their parts.
func (k *packer) sum() float64 {
	s := 0.0
	for i := range k.list {
		if e := &k.list[i]; e.got != nil {
			s += e.value
		}
	}
	return s
}

// accepts reports whether a job may be on a machine.
func (k *packer) accepts(e *entry, m int) bool { return e.typ == "" || k.top.Type(m) == e.typ }

// room is how many GPUs with a cell a machine's CPU and memory carry.
func (k *packer) room(m int, c cell) int64 {
	n := int64(math.MaxInt32)
	if c.cpu > 0 {
		n = min(n, k.cpu[m]/int64(c.cpu))
	}
	if c.mem > 0 {
		n = min(n, k.mem[m]/int64(c.mem))
	}
	return n
}

// place finds GPUs for a job with a cell and takes them: the GPUs that it holds, else the machine
// with the least free that holds it, else, where no machine has the GPUs, as few as possible. With
// force CPU and memory do not count; what is given out may then exceed what there is.
func (k *packer) place(i int, c cell, force bool) bool {
	e, from := &k.list[i], len(k.arena)
	if e.held != nil && k.stays(e, c, force) {
		k.take(i, e.held, c)
		return true
	}
	best, holds, one := -1, false, false
	for m := range k.cpu {
		if k.free.InMachine(m) < int(e.gpus) || !k.accepts(e, m) {
			continue
		}
		holds = true
		if !force && k.room(m, c) < int64(e.gpus) {
			continue
		}
		if in := k.inSlot(m, int(e.gpus)); best < 0 || in && !one || in == one && k.less(m, best) {
			best, one = m, in
		}
	}
	switch {
	case best >= 0:
		k.arena = k.free.FromMachine(k.arena, best, int(e.gpus), cluster.BestFit)
	case holds || !k.spread(e, c, force):
		return false
	}
	slices.Sort(k.arena[from:])
	k.take(i, k.arena[from:len(k.arena):len(k.arena)], c)
	return true
}

// stays reports whether a job can keep the GPUs that it holds.
func (k *packer) stays(e *entry, c cell, force bool) bool {
	for _, g := range e.held {
		if !k.free.Has(g) {
			return false
		}
	}
	k.shape = k.top.ShapeOf(k.shape[:0], e.held)
	for i := range k.shape {
		if p := &k.shape[i]; !force && k.room(int(p.Machine), c) < int64(p.GPUs) {
			return false
		}
	}
	return true
}

// inSlot reports whether a slot of a machine has n free GPUs.
func (k *packer) inSlot(m, n int) bool {
	for lo, hi := k.top.MachineSlots(m); lo < hi; lo++ {
		if k.free.InSlot(lo) >= n {
			return true
		}
	}
	return false
}

// less reports whether a machine has less free than another: GPUs, then CPU, then memory.
func (k *packer) less(a, b int) bool {
	return cmp.Or(cmp.Compare(k.free.InMachine(a), k.free.InMachine(b)), cmp.Compare(k.cpu[a], k.cpu[b]),
		cmp.Compare(k.mem[a], k.mem[b])) < 0
}

// spread appends GPUs of several machines: of the rack that just has them, else of all; machines
// with most go first.
func (k *packer) spread(e *entry, c cell, force bool) bool {
	k.spaces = k.spaces[:0]
	best, lo, hi, total := math.MaxInt, 0, 0, 0
	for r := range k.top.Racks() {
		first, sum := len(k.spaces), 0
		a, b := k.top.RackMachines(r)
		for m := a; m < b; m++ {
			if !k.accepts(e, m) {
				continue
			}
			n := k.free.InMachine(m)
			if !force {
				n = int(min(int64(n), k.room(m, c)))
			}
			if n > 0 {
				sum += n
				k.spaces = append(k.spaces, space{int32(m), int32(n)})
			}
		}
		if total += sum; sum >= int(e.gpus) && sum < best {
			best, lo, hi = sum, first, len(k.spaces)
		}
	}
	if total < int(e.gpus) {
		return false
	}
	if hi == 0 {
		hi = len(k.spaces)
	}
	from := k.spaces[lo:hi]
	slices.SortFunc(from, func(a, b space) int {
		return cmp.Or(cmp.Compare(b.n, a.n),
			cmp.Compare(a.machine, b.machine))
	})
	left := int(e.gpus)
	for _, s := range from {
		n := min(left, int(s.n))
		k.arena = k.free.FromMachine(k.arena, int(s.machine), n, cluster.BestFit)
		if left -= n; left == 0 {
			break
		}
	}
	return true
}

// take gives GPUs with a cell to a job.
func (k *packer) take(i int, gpus []cluster.GPU, c cell) {
	e := &k.list[i]
	k.free.TakeAll(gpus)
	e.got = gpus
	k.placed++
	k.shape = k.top.ShapeOf(k.shape[:0], gpus)
	for p := range k.shape {
		m := k.shape[p].Machine
		k.on[m] = append(k.on[m], int32(i))
	}
	k.set(e, c)
}

// set changes the cell of a job that has its GPUs.
func (k *packer) set(e *entry, c cell) {
	k.shape = k.top.ShapeOf(k.shape[:0], e.got)
	for p := range k.shape {
		m, n := k.shape[p].Machine, int64(k.shape[p].GPUs)
		k.cpu[m] -= n * int64(c.cpu-e.has.cpu)
		k.mem[m] -= n * int64(c.mem-e.has.mem)
	}
	e.has, e.value = c, 1
	if c == e.want {
		e.value = e.best
	}
}
