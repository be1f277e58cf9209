package simtest

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/end"
	"tarry/sim/mig"
)

// cutting is an interval on a GPU that can be cut into instances, or in an instance that no such
// GPU has.
type cutting struct {
	interval
	instance uint8
	gpuMiB   int64
}

// cuts notes an interval where GPUs can be cut, or the job has an instance all the same.
func (a *Audit) cuts(i *sim.Interval) {
	if !a.top.Cuts() && i.Instance == 0 {
		return
	}
	if i.Instance > 0 && len(i.GPUs) != 1 {
		a.fault("I16: job %q has an instance of %d GPUs, expected one", a.w.Jobs[i.Job].ID, len(i.GPUs))
	}
	for _, g := range i.GPUs {
		d := a.top.MIG(a.top.Machine(g))
		if i.Instance > 0 && (d == nil || int(i.Instance) > len(d.Placements)) {
			a.fault("I16: job %q has instance %d of GPU %d, which it does not have", a.w.Jobs[i.Job].ID, i.Instance, g)
			continue
		}
		c := cutting{interval{job: i.Job, gpu: g, start: i.Start, end: i.End, share: i.ShareMilli}, i.Instance,
			int64(i.GPUMiB)}
		if i.Reason == end.OutOfMemory {
			c.gpuMiB = 0
		}
		if d != nil && i.Start < i.End {
			a.cut = append(a.cut, c)
		}
	}
}

// closeInstances sweeps over every such GPU: its instances in use may exist beside one another,
// no job has the GPU without one beside them, and the jobs in each have at most its share and
// memory.
func (a *Audit) closeInstances() {
	slices.SortFunc(a.cut, func(x, y cutting) int {
		return cmp.Or(cmp.Compare(x.gpu, y.gpu), cmp.Compare(x.start, y.start), cmp.Compare(x.end, y.end),
			cmp.Compare(x.job, y.job))
	})
	var now []cutting // on the GPU at the start of the interval that is looked at
	for n, c := range a.cut {
		if n > 0 && a.cut[n-1].gpu != c.gpu {
			now = now[:0]
		}
		now = slices.DeleteFunc(now, func(o cutting) bool { return o.end <= c.start })
		now = append(now, c)
		if n+1 == len(a.cut) || a.cut[n+1].gpu != c.gpu || a.cut[n+1].start > c.start {
			a.together(c.gpu, now)
		}
	}
}

// together checks the jobs on a GPU at one time.
func (a *Audit) together(g cluster.GPU, now []cutting) {
	d := a.top.MIG(a.top.Machine(g))
	var set mig.Set
	whole := sim.NoJob
	share, mib := map[uint8]int32{}, map[uint8]int64{}
	for _, c := range now {
		if c.instance == 0 {
			whole = c.job
			continue
		}
		set = set.With(int(c.instance) - 1)
		share[c.instance] += c.share
		mib[c.instance] += c.gpuMiB
	}
	last := now[len(now)-1]
	if set != 0 && whole != sim.NoJob {
		a.fault("I16: GPU %d has %s in use at %v beside job %q, which has no instance", g, d.List(set), last.start,
			a.w.Jobs[whole].ID)
	}
	if !d.Legal(set) {
		a.fault("I16: GPU %d has %s in use at %v, which cannot exist together", g, d.List(set), last.start)
	}
	for p := set.Next(0); p >= 0; p = set.Next(p + 1) {
		if o, n := d.Of(p), uint8(p+1); share[n] > o.Milli() || mib[n] > int64(o.MiB) {
			a.fault("I16: GPU %d has %s with %d of %d thousandths and %d of %d MiB in use at %v", g, d.String(p),
				share[n], o.Milli(), mib[n], o.MiB, last.start)
		}
	}
}
