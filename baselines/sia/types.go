package sia

import (
	"slices"

	"tarry/baselines/sia/ilp"
	"tarry/sim"
	"tarry/sim/cluster"
)

// gpuType is one type of the cluster.
type gpuType struct {
	name     string
	machines []int32 // ascending
	per      int     // GPUs of its largest machines, which count as whole nodes
	gpus     int
	first    [1]cluster.GPU // a GPU of it, on which jobs are measured
}

// layout is the cluster as Sia sees it.
type layout struct {
	types   []gpuType
	of      []int32 // machine -> type
	configs []ilp.Config
}

func newLayout(top *cluster.Topology, most int) layout {
	l := layout{of: make([]int32, top.Machines())}
	names := top.Types()
	l.types = make([]gpuType, len(names))
	for m := range top.Machines() {
		t := max(slices.Index(names, top.Type(m)), 0)
		lo, hi := top.MachineGPUs(m)
		x := &l.types[t]
		if len(x.machines) == 0 {
			x.name, x.first[0] = names[t], lo
		}
		x.machines = append(x.machines, int32(m))
		x.per, x.gpus, l.of[m] = max(x.per, int(hi-lo)), x.gpus+int(hi-lo), int32(t)
	}
	for t := range l.types {
		x := &l.types[t]
		whole := 0
		for _, m := range x.machines {
			if lo, hi := top.MachineGPUs(int(m)); int(hi-lo) == x.per {
				whole++
			}
		}
		l.configs = ilp.Configs(l.configs, t, whole, x.per, most)
	}
	return l
}

// find is the configuration of a number of GPUs of a type, ilp.None where there is none yet.
func (l *layout) find(typ, gpus int) int {
	for c := range l.configs {
		if f := &l.configs[c]; f.Type == typ && f.GPUs == gpus {
			return c
		}
	}
	return ilp.None
}

// need makes sure that there is a configuration of a number of GPUs of a type: some jobs cannot
// have any of the others.
func (l *layout) need(typ, gpus int) {
	if l.find(typ, gpus) != ilp.None {
		return
	}
	f := ilp.Config{Type: typ, GPUs: gpus}
	if typ == ilp.Mixed {
		f.Parts = make([]int, len(l.types))
		for left := gpus; left > 0; {
			most := -1
			for t := range l.types {
				if f.Parts[t] == 0 && (most < 0 || l.types[t].gpus > l.types[most].gpus) {
					most = t
				}
			}
			f.Parts[most] = min(left, l.types[most].gpus)
			left -= f.Parts[most]
		}
	}
	for t := range l.types {
		switch per := l.types[t].per; {
		case t == typ:
			f.Nodes += (gpus + per - 1) / per
		case typ == ilp.Mixed:
			f.Nodes += (f.Parts[t] + per - 1) / per
		}
	}
	l.configs = append(l.configs, f)
}

// held is the configuration of GPUs, ilp.None where that is none of the list.
func (l *layout) held(top *cluster.Topology, gpus []cluster.GPU) int {
	if len(gpus) == 0 {
		return ilp.None
	}
	typ := int(l.of[top.Machine(gpus[0])])
	for _, g := range gpus {
		if int(l.of[top.Machine(g)]) != typ {
			typ = ilp.Mixed
			break
		}
	}
	return l.find(typ, len(gpus))
}

// nodes counts the machines of GPUs, ascending.
func nodes(top *cluster.Topology, gpus []cluster.GPU) int {
	n, last := 0, -1
	for _, g := range gpus {
		if m := top.Machine(g); m != last {
			n, last = n+1, m
		}
	}
	return n
}

// carries reports whether a job may have so many GPUs of a type, and its machines have the CPU and
// memory for them.
func (l *layout) carries(v *sim.View, j sim.JobID, t, n int) bool {
	a := v.Job(j).Public()
	return l.accepts(v, j, t) && v.Topology().CarriesOf(t, cluster.PerGPU{CPUMilli: a.CPUMilli, MemMiB: a.MemMiB}) >= n
}

// accepts reports whether a job may have GPUs of a type.
func (l *layout) accepts(v *sim.View, j sim.JobID, t int) bool {
	asks := v.Job(j).GPUType()
	return asks == "" || asks == l.types[t].name || len(l.types) == 1 && l.types[0].name == ""
}
