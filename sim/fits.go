package sim

import (
	"fmt"
	"slices"
	"strings"

	"tarry/sim/cluster"
	"tarry/sim/param"
)

// perGPU is what the job asks along with each of its GPUs.
func (j *Job) perGPU() cluster.PerGPU {
	return cluster.PerGPU{Type: j.GPUType, CPUMilli: j.CPUMilli, MemMiB: j.MemMiB}
}

// Fits reports whether a cluster can ever hold the job, in its smallest form and with all GPUs of
// its type, and the CPU and memory of their machines, free. The kernel refuses a job that does not
// fit.
func (j *Job) Fits(t *cluster.Topology) bool {
	lo, _ := j.Range()
	return t.Carries(j.perGPU(), int(lo)) >= int(lo)
}

// Refusal reports why a cluster can never hold the job, "" where it can. It holds no number of the
// job's own, so that jobs refused for one reason have the same text.
func (j *Job) Refusal(t *cluster.Topology) string {
	lo, _ := j.Range()
	typ, all := cluster.PerGPU{Type: j.GPUType}, t.OfType(j.GPUType)
	switch {
	case j.Fits(t):
		return ""
	case all == 0:
		return fmt.Sprintf("no GPU of type %q in the cluster (types: %s)%s", j.GPUType, types(t),
			param.Hint(j.GPUType, t.Types()))
	case int(lo) > t.GPUs():
		return fmt.Sprintf("larger than the cluster of %d GPUs", t.GPUs())
	case int(lo) > all:
		return fmt.Sprintf("larger than the %d GPUs of type %q", all, t.Named(j.GPUType))
	}
	cpu, mem := typ, typ
	cpu.CPUMilli, mem.MemMiB = j.CPUMilli, j.MemMiB
	switch {
	case t.Carries(cpu, 1) == 0:
		return fmt.Sprintf("more CPU for each GPU than a machine has (%d thousandths of a core)",
			largest(t, typ, t.CPUMilli))
	case t.Carries(mem, 1) == 0:
		return fmt.Sprintf("more host memory for each GPU than a machine has (%d MiB)", largest(t, typ, t.MemMiB))
	case t.Carries(cpu, int(lo)) < int(lo):
		return "more CPU than the machines have for so many GPUs"
	case t.Carries(mem, int(lo)) < int(lo):
		return "more host memory than the machines have for so many GPUs"
	}
	return "more CPU and host memory than the machines have for so many GPUs"
}

// types lists the types of a cluster as a sentence does.
func types(t *cluster.Topology) string {
	names := slices.Clone(t.Types())
	for i, n := range names {
		if n == "" {
			names[i] = "one without a name"
		}
	}
	return strings.Join(names, ", ")
}

// largest is the most that a machine of a type has.
func largest(t *cluster.Topology, p cluster.PerGPU, of func(machine int) int64) int64 {
	n := int64(0)
	for m := range t.Machines() {
		if t.Room(m, p) > 0 {
			n = max(n, of(m))
		}
	}
	return n
}
