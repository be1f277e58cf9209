package simtest

import (
	"cmp"
	"slices"

	"tarry/sim"
)

// closeHosts sweeps over every machine's intervals: what jobs were given of its CPU and memory is
// never more than it has.
func (a *Audit) closeHosts() {
	type edge struct {
		machine  int
		at       sim.Time
		ends     int // 0 where an interval ends: what it had is free for one that begins then
		cpu, mem int64
		job      sim.JobID
	}
	var edges []edge
	for _, i := range a.ints {
		if m := a.top.Machine(i.gpu); i.start < i.end && i.cpu|i.mem != 0 {
			edges = append(edges, edge{m, i.start, 1, int64(i.cpu), int64(i.mem), i.job},
				edge{m, i.end, 0, -int64(i.cpu), -int64(i.mem), i.job})
		}
	}
	slices.SortFunc(edges, func(x, y edge) int {
		return cmp.Or(cmp.Compare(x.machine, y.machine), cmp.Compare(x.at, y.at), cmp.Compare(x.ends, y.ends),
			cmp.Compare(x.job, y.job))
	})
	cpu, mem := int64(0), int64(0)
	for _, e := range edges {
		cpu, mem = cpu+e.cpu, mem+e.mem
		if c, m := a.top.CPUMilli(e.machine), a.top.MemMiB(e.machine); c > 0 && cpu > c || m > 0 && mem > m {
			a.fault("I11: machine %d has %d thousandths of CPU and %d MiB in use at %v, of %d and %d, with job %q",
				e.machine, cpu, mem, e.at, c, m, a.name(e.job))
		}
	}
}
