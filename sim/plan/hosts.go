package plan

import (
	"math"
	"math/bits"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Hosts shows the free list as demands for CPU and memory of machines see it, to planners that
// choose by levels of the tree and hold no Placer: of each machine no more GPUs than its hosts have
// room for. What jobs use is as in the view, less the GPUs that the plan has released on the
// view's free list, with what the plan gives (Give). The zero value is ready; it belongs to one
// run.
type Hosts struct {
	// Of is what a running job has of its machine with each GPU; required.
	Of func(j sim.JobID) cluster.PerGPU

	cpu, mem []int64 // planned use by machine
	round    uint64
	seen     []seen
}

// seen is the free list of one demand.
type seen struct {
	per   cluster.PerGPU
	round uint64
	free  *cluster.Free
}

// Plan starts over: with what jobs use now, and the GPUs that the plan has released so far.
func (h *Hosts) Plan(v *sim.View) {
	t, f := v.Topology(), v.Free()
	if h.cpu == nil {
		h.cpu, h.mem = make([]int64, t.Machines()), make([]int64, t.Machines())
	}
	h.round++
	for m := range h.cpu {
		h.cpu[m], h.mem[m] = v.HostUsed(m)
		lo, hi := t.MachineGPUs(m)
		for g := lo; g < hi; g++ {
			if f.Has(g) {
				h.leave(v, m, g)
			}
		}
	}
}

// leave takes away what the holder of a GPU has of its machine.
func (h *Hosts) leave(v *sim.View, m int, g cluster.GPU) {
	if j := v.Owner(g); j != sim.NoJob {
		p := h.Of(j)
		h.cpu[m] -= int64(p.CPUMilli)
		h.mem[m] -= int64(p.MemMiB)
	}
}

// Give adds GPUs that the plan gives to a job; it had taken them from the free list before Plan.
func (h *Hosts) Give(v *sim.View, p cluster.PerGPU, gpus []cluster.GPU) {
	h.round++
	for _, g := range gpus {
		m := v.Topology().Machine(g)
		h.leave(v, m, g)
		h.cpu[m] += int64(p.CPUMilli)
		h.mem[m] += int64(p.MemMiB)
	}
}

// Free is the free list of a demand: the list of its type, less the GPUs that machines have no room
// for. It is valid until the plan changes.
func (h *Hosts) Free(v *sim.View, p cluster.PerGPU, rule cluster.Rule) *cluster.Free {
	f := v.Free().Of(p.Type)
	if f == nil || p.CPUMilli == 0 && p.MemMiB == 0 {
		return f
	}
	s := h.of(v, p)
	if s.round == h.round {
		return s.free
	}
	s.round = h.round
	for m := range v.Topology().Machines() {
		mask := f.Mask(m)
		if n := h.room(v.Topology(), m, p); mask != 0 && n < bits.OnesCount64(mask) {
			mask = f.Keep(m, n, rule)
		}
		s.free.Show(m, mask)
	}
	return s.free
}

// of finds the list of a demand, or makes it.
func (h *Hosts) of(v *sim.View, p cluster.PerGPU) *seen {
	for i := range h.seen {
		if h.seen[i].per == p {
			return &h.seen[i]
		}
	}
	h.seen = append(h.seen, seen{per: p, free: cluster.NewShown(v.Topology())})
	return &h.seen[len(h.seen)-1]
}

// room is how many GPUs of a demand a machine can carry besides what the plan uses of it.
func (h *Hosts) room(t *cluster.Topology, m int, p cluster.PerGPU) int {
	n := int64(math.MaxInt32)
	if c := t.CPUMilli(m); c > 0 && p.CPUMilli > 0 {
		n = min(n, (c-h.cpu[m])/int64(p.CPUMilli))
	}
	if c := t.MemMiB(m); c > 0 && p.MemMiB > 0 {
		n = min(n, (c-h.mem[m])/int64(p.MemMiB))
	}
	return int(max(0, n))
}
