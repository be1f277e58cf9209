package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tarry/sim/cluster"
)

// The memory of GPUs. Where no machine states what its GPUs have, Engine.gpuUsed is nil and nothing
// here is done.

// load books (sign +1) or gives back (-1) the memory of a job's GPUs. One that has run out holds
// none.
func (e *Engine) load(r *run, sign int64) {
	if e.gpuUsed == nil || r.gpuMiB == 0 || r.out {
		return
	}
	for _, g := range r.gpus {
		e.gpuUsed[g] += sign * int64(r.gpuMiB)
	}
}

// overfull reports whether one of a job's GPUs, or its instance, has less memory than the jobs on
// it use, of which this job uses some.
func (e *Engine) overfull(r *run) bool {
	return e.gpuUsed != nil && r.gpuMiB > 0 && slices.ContainsFunc(r.gpus, func(g cluster.GPU) bool {
		c := e.top.GPUMiB(e.top.Machine(g))
		return c > 0 && e.gpuUsed[g] > c
	}) || e.crowded(r)
}

// runOut lets a job that has run out of memory hold its GPUs until it has failed. It has none of
// their memory meanwhile, and sends nothing.
func (e *Engine) runOut(r *run) {
	e.load(r, -1)
	r.out = true
	e.failed = append(e.failed, r.id)
	r.outs++
	e.drain(r, max(1, e.formula(e.cfg.Costs.OutOfMemory, r, len(r.gpus))), OutOfMemory)
	e.jostle(r)
}

// verifyGPUMiB checks that the memory by GPU is what the jobs on it hold, and fits.
func (e *Engine) verifyGPUMiB() error {
	if e.gpuUsed == nil {
		return nil
	}
	held := make([]int64, len(e.gpuUsed))
	for s := range e.runs {
		r := &e.runs[s]
		for _, g := range r.gpus {
			if !r.out {
				held[g] += int64(r.gpuMiB)
			}
		}
	}
	for g, n := range held {
		if c := e.top.GPUMiB(e.top.Machine(cluster.GPU(g))); n != e.gpuUsed[g] || c > 0 && n > c {
			return fmt.Errorf("I15: GPU %d has %d MiB in use by job, %d by GPU, of %d", g, n, e.gpuUsed[g], c)
		}
	}
	return nil
}

// Holds reports why the memory of a cluster's GPUs can never be enough for the job, nil where it
// can: even in its smallest form it needs more than the GPUs of its type have, or so many GPUs as
// have that much.
func (j *Job) Holds(t *cluster.Topology) error {
	if j.GPUMiB == 0 || !t.StatesGPUMiB() {
		return nil
	}
	least, _ := j.Range()
	largest, enough := int64(0), 0
	for m := range t.Machines() {
		lo, hi := t.MachineGPUs(m)
		switch c := t.GPUMiB(m); {
		case t.Room(m, cluster.PerGPU{Type: j.GPUType}) == 0:
		case c == 0 || c >= int64(j.GPUMiB):
			enough += int(hi - lo)
		default:
			largest = max(largest, c)
		}
	}
	switch {
	case enough >= int(least) || !j.Fits(t):
		return nil
	case enough == 0:
		return fmt.Errorf("needs %d MiB of each GPU, and the largest that it may use has %d", j.GPUMiB, largest)
	}
	return fmt.Errorf("needs %d GPUs with %d MiB each, and %d that it may use have as much", least, j.GPUMiB, enough)
}

// HoldsAll reports the jobs for which the memory of a cluster's GPUs can never be enough, up to 20.
func (w *Workload) HoldsAll(t *cluster.Topology) error {
	var errs []error
	for i := 0; t.StatesGPUMiB() && i < len(w.Jobs) && len(errs) < maxFaults; i++ {
		if err := w.Jobs[i].Holds(t); err != nil {
			errs = append(errs, fmt.Errorf("job %q %w", w.Jobs[i].ID, err))
		}
	}
	return errors.Join(errs...)
}

// GPUMiBFree is the memory of a GPU in MiB that no job holds; math.MaxInt64 where it is not
// constrained.
func (v *View) GPUMiBFree(g cluster.GPU) int64 {
	c := v.e.top.GPUMiB(v.e.top.Machine(g))
	if c == 0 {
		return math.MaxInt64
	}
	return c - v.e.gpuUsed[g]
}
