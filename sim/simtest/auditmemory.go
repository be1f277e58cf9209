package simtest

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// memoryEdge is where an interval that holds memory of a GPU begins or ends.
type memoryEdge struct {
	gpu cluster.GPU
	at  sim.Time
	mib int64 // negative at an end
	job sim.JobID
	out bool // one that begins to run out
}

// failure is one job's running out of memory.
type failure struct {
	job sim.JobID
	at  sim.Time
}

// closeGPUMiB sweeps over every GPU's intervals: what jobs hold of its memory is never more than it
// has. A job that ran out of memory holds none of it, and one of its GPUs had too little.
func (a *Audit) closeGPUMiB() {
	if !a.top.StatesGPUMiB() {
		return
	}
	edges := a.memoryEdges()
	short := map[failure]bool{}
	held := int64(0)
	for i := 0; i < len(edges); {
		first := edges[i]
		if i == 0 || edges[i-1].gpu != first.gpu {
			held = 0
		}
		most, after, n := held, held, i
		for ; n < len(edges) && edges[n].gpu == first.gpu && edges[n].at == first.at; n++ {
			if e := edges[n]; !e.out {
				most += max(0, e.mib) // all that begin or end at the instant may have been there when a decision failed
				after += e.mib
			}
		}
		c := a.top.GPUMiB(a.top.Machine(first.gpu))
		for _, e := range edges[i:n] {
			if f := (failure{e.job, e.at}); e.out {
				short[f] = short[f] || c > 0 && most+e.mib > c
			}
		}
		if c > 0 && after > c {
			a.fault("I15: GPU %d has %d MiB in use at %v, of %d, with job %q", first.gpu, after, first.at, c,
				a.name(edges[n-1].job))
		}
		held, i = after, n
	}
	for _, i := range a.ints {
		if f := (failure{i.job, i.start}); i.out && i.start < i.end && !short[f] {
			a.fault("I15: job %q ran out of memory at %v, and its GPUs had enough", a.name(i.job), i.start)
			short[f] = true
		}
	}
}

// memoryEdges are in order of GPU and time.
func (a *Audit) memoryEdges() []memoryEdge {
	var edges []memoryEdge
	for _, i := range a.ints {
		if i.gpuMiB == 0 {
			continue
		}
		edges = append(edges, memoryEdge{i.gpu, i.start, int64(i.gpuMiB), i.job, i.out})
		if !i.out {
			edges = append(edges, memoryEdge{i.gpu, i.end, -int64(i.gpuMiB), i.job, false})
		}
	}
	slices.SortFunc(edges, func(x, y memoryEdge) int {
		return cmp.Or(cmp.Compare(x.gpu, y.gpu), cmp.Compare(x.at, y.at), cmp.Compare(x.mib, y.mib),
			cmp.Compare(x.job, y.job))
	})
	return edges
}
