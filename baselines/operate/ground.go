package operate

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/service"
)

// ground is the room for replicas on GPUs and machines after the decisions so far of an instant.
type ground struct {
	milli    []int32 // GPU -> thousandths that the decisions give to replicas, less what they free
	mib      []int64 // GPU -> memory, alike
	cpu, mem []int64 // machine -> thousandths of a core and memory, alike
	touched  []cluster.GPU
	replicas []int32 // machine -> GPUs with a replica, each replica counted
	own      []int32 // machines of the services
	held     []bool  // machine -> of the services, and not lent
	gpus     []cluster.GPU
}

// begin makes room for a cluster.
func (g *ground) begin(v *sim.View) {
	t := v.Topology()
	g.milli, g.mib = make([]int32, t.GPUs()), make([]int64, t.GPUs())
	g.cpu, g.mem = make([]int64, t.Machines()), make([]int64, t.Machines())
	g.replicas, g.held = make([]int32, t.Machines()), make([]bool, t.Machines())
	for m := range t.Machines() {
		if v.Services().Own(m) {
			g.own = append(g.own, int32(m))
		}
	}
}

// open forgets the decisions of the last instant.
func (g *ground) open(v *sim.View) {
	t, s := v.Topology(), v.Services()
	for _, gpu := range g.touched {
		m := t.Machine(gpu)
		g.milli[gpu], g.mib[gpu], g.cpu[m], g.mem[m] = 0, 0, 0, 0
	}
	g.touched = g.touched[:0]
	for _, m := range g.own {
		g.held[m] = !s.Lent(int(m))
	}
}

// note books that a job or replica with some knobs comes to a GPU (1) or leaves it (-1).
func (g *ground) note(v *sim.View, gpu cluster.GPU, k *sim.Knobs, by int) {
	m := v.Topology().Machine(gpu)
	g.touched = append(g.touched, gpu)
	g.milli[gpu] += int32(by) * k.ShareMilli
	g.mib[gpu] += int64(by) * int64(k.GPUMiB)
	g.cpu[m] += int64(by) * int64(k.CPUMilli)
	g.mem[m] += int64(by) * int64(k.MemMiB)
}

// leave books that a job or replica gives up some GPUs.
func (g *ground) leave(v *sim.View, id sim.JobID, gpus []cluster.GPU) {
	k := v.Run(id).Knobs()
	for _, gpu := range gpus {
		g.note(v, gpu, &k, -1)
		if v.Services().Of(id) >= 0 {
			g.replicas[v.Topology().Machine(gpu)]--
		}
	}
}

// room is what a replica may take of a GPU, in thousandths.
func (g *ground) room(v *sim.View, gpu cluster.GPU) int32 {
	s, m := v.Services(), v.Topology().Machine(gpu)
	switch {
	case s.On(gpu) != sim.NoJob: // it is up
		return 1000 - int32(v.Share(gpu)) - g.milli[gpu]
	case !s.Lent(m):
		return int32(s.Room(gpu)) - g.milli[gpu]
	case v.Up(gpu):
		return 1000 - int32(v.Share(gpu)) - g.milli[gpu]
	}
	return 0
}

// shareOf is what a replica takes of each GPU.
func shareOf(spec *service.Spec) int32 {
	if spec.ShareMilli > 0 {
		return spec.ShareMilli
	}
	return 1000
}

// takes reports whether a machine is one for replicas of a service: of the services where some are,
// and not lent.
func (g *ground) takes(v *sim.View, m int, spec *service.Spec) bool {
	return (len(g.own) == 0 || g.held[m]) && (spec.GPUType == "" || cluster.SameType(v.Topology().Type(m), spec.GPUType))
}

// fits appends the GPUs of a machine on which a replica fits, up to n of them, tight ones first where
// the operator packs.
func (g *ground) fits(v *sim.View, m, n int, spec *service.Spec, spreads bool, dst []cluster.GPU) []cluster.GPU {
	t := v.Topology()
	lo, hi := t.MachineGPUs(m)
	from, share := len(dst), shareOf(spec)
	for gpu := lo; gpu < hi; gpu++ {
		if g.room(v, gpu) >= share && g.holds(v, gpu, spec) {
			dst = append(dst, gpu)
		}
	}
	if share < 1000 {
		slices.SortStableFunc(dst[from:], func(a, b cluster.GPU) int {
			d := int(g.room(v, a) - g.room(v, b))
			if spreads {
				d = -d
			}
			return d
		})
	}
	most := min(n, len(dst)-from)
	cpu, mem := v.HostUsed(m)
	if c := t.CPUMilli(m); c > 0 && spec.CPUMilli > 0 {
		most = min(most, int(max(0, c-cpu-g.cpu[m])/int64(spec.CPUMilli)))
	}
	if c := t.MemMiB(m); c > 0 && spec.MemMiB > 0 {
		most = min(most, int(max(0, c-mem-g.mem[m])/int64(spec.MemMiB)))
	}
	return dst[:from+most]
}

// holds reports whether a GPU has the memory for a replica.
func (g *ground) holds(v *sim.View, gpu cluster.GPU, spec *service.Spec) bool {
	if spec.GPUMiB == 0 || !v.Topology().StatesGPUMiB() {
		return true
	}
	free := v.GPUMiBFree(gpu)
	return free == math.MaxInt64 || free-g.mib[gpu] >= int64(spec.GPUMiB)
}

// find gives GPUs for a replica: of one machine, the one with the least room for it, with spreads the
// most; where it is wider than every machine, of several, with the most room first. nil = there are none. They are valid until the next
// call.
func (g *ground) find(v *sim.View, spec *service.Spec, spreads bool) []cluster.GPU {
	n, best, at := int(max(1, spec.GPUs)), 0, -1
	widest := 0
	for m := range v.Topology().Machines() {
		lo, hi := v.Topology().MachineGPUs(m)
		widest = max(widest, int(hi-lo))
		if !g.takes(v, m, spec) {
			continue
		}
		g.gpus = g.fits(v, m, int(hi-lo), spec, spreads, g.gpus[:0])
		if k := len(g.gpus); k >= n && (at < 0 || spreads && k > best || !spreads && k < best) {
			at, best = m, k
		}
	}
	switch {
	case at >= 0:
		g.gpus = g.fits(v, at, n, spec, spreads, g.gpus[:0])
	case n <= widest || !g.gather(v, spec, n, spreads):
		return nil
	}
	slices.Sort(g.gpus)
	return g.gpus
}

// gather takes GPUs of several machines, in their order.
func (g *ground) gather(v *sim.View, spec *service.Spec, n int, spreads bool) bool {
	g.gpus = g.gpus[:0]
	for m := range v.Topology().Machines() {
		if g.takes(v, m, spec) && len(g.gpus) < n {
			g.gpus = g.fits(v, m, n-len(g.gpus), spec, spreads, g.gpus)
		}
	}
	return len(g.gpus) == n
}

// settle books a replica on GPUs.
func (g *ground) settle(v *sim.View, spec *service.Spec, gpus []cluster.GPU) {
	k := sim.Knobs{ShareMilli: shareOf(spec), GPUMiB: spec.GPUMiB, CPUMilli: spec.CPUMilli, MemMiB: spec.MemMiB}
	for _, gpu := range gpus {
		g.note(v, gpu, &k, 1)
		g.replicas[v.Topology().Machine(gpu)]++
	}
}

// clone gives an independent copy.
func (g *ground) clone() ground {
	c := *g
	c.milli, c.mib = slices.Clone(g.milli), slices.Clone(g.mib)
	c.cpu, c.mem, c.touched = slices.Clone(g.cpu), slices.Clone(g.mem), slices.Clone(g.touched)
	c.replicas, c.held, c.gpus = slices.Clone(g.replicas), slices.Clone(g.held), nil
	return c
}
