package plan

import (
	"maps"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Waiters counts the jobs that wait, by demand, and has since when. The zero value has none.
type Waiters struct {
	index map[Demand]int32
	kinds []waiters
}

// waiters are the waiting jobs of a demand.
type waiters struct {
	gpus int
	typ  string
	fits cluster.Level
	n    int
	jobs []waiter // in the order in which they began to wait; some may have left
}

type waiter struct {
	job   sim.JobID
	since sim.Time
}

// left reports whether a job waits no more since that time.
func (w waiter) left(v *sim.View) bool {
	return v.Run(w.job).State() != sim.Waiting || v.Run(w.job).Since() != w.since
}

// Enter notes a job of a demand that begins to wait at this instant.
func (w *Waiters) Enter(v *sim.View, d *Demand, j sim.JobID) {
	i, ok := w.index[*d]
	if !ok {
		if w.index == nil {
			w.index = map[Demand]int32{}
		}
		i = int32(len(w.kinds))
		w.index[*d] = i
		fits, _ := v.Topology().Finest(cluster.LevelMachine, int(d.GPUs), d.PerGPU())
		w.kinds = append(w.kinds, waiters{gpus: int(d.GPUs), typ: d.Type, fits: fits})
	}
	k, gone := &w.kinds[i], 0
	for gone < len(k.jobs) && k.jobs[gone].left(v) && k.jobs[gone].since != v.Now() {
		gone++
	}
	k.jobs = append(slices.Delete(k.jobs, 0, gone), waiter{j, v.Now()})
	k.n++
}

// Leave notes that one of the jobs of a demand got GPUs.
func (w *Waiters) Leave(d *Demand) { w.kinds[w.index[*d]].n-- }

// Append appends what waits, one entry per demand seen so far, in the order in which they were
// seen.
func (w *Waiters) Append(v *sim.View, dst []Wanted) []Wanted {
	for i := range w.kinds {
		k := &w.kinds[i]
		d := Wanted{GPUs: k.gpus, Type: k.typ, Waiting: k.n, Oldest: sim.Never, Fits: k.fits}
		for at := 0; at < len(k.jobs) && k.n > 0 && d.Oldest == sim.Never; at++ {
			if !k.jobs[at].left(v) {
				d.Oldest = k.jobs[at].since
			}
		}
		dst = append(dst, d)
	}
	return dst
}

// Clone gives an independent copy.
func (w *Waiters) Clone() Waiters {
	c := Waiters{maps.Clone(w.index), slices.Clone(w.kinds)}
	for i := range c.kinds {
		c.kinds[i].jobs = slices.Clone(c.kinds[i].jobs)
	}
	return c
}
