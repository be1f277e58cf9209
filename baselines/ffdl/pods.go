package ffdl

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// request is what decides about a job's pods.
type request struct {
	plan.Demand
	worker int32 // GPUs of a worker as the trace has them; 0 = not known
	free   bool  // of the free tier
}

// shape is a kind of gang, and the admitted jobs of that kind that have not started.
type shape struct {
	plan.Demand
	pod    int32 // GPUs of each learner
	worker int32
	free   bool
	jobs   []sim.JobID
	head   int
	closed bool // does not fit at this instant
}

// learners is the number of pods.
func (s *shape) learners() int32 { return s.GPUs / s.pod }

// add puts a job where its arrival puts it.
func (s *shape) add(j sim.JobID) {
	if n := len(s.jobs); n == s.head || s.jobs[n-1] < j {
		s.jobs = append(s.jobs, j)
		return
	}
	i, _ := slices.BinarySearch(s.jobs[s.head:], j)
	s.jobs = slices.Insert(s.jobs, s.head+i, j)
}

// take removes the first job.
func (s *shape) take() sim.JobID {
	j := s.jobs[s.head]
	if s.head++; 2*s.head > len(s.jobs) {
		s.jobs = slices.Delete(s.jobs, 0, s.head)
		s.head = 0
	}
	return j
}

// shapeOf is the shape of a job that has arrived.
func (p *Policy) shapeOf(v *sim.View, j sim.JobID) int32 {
	a := v.Job(j).Public()
	r := request{plan.Demand{GPUs: int32(v.Job(j).GPUs()), Type: a.GPUType, ShareMilli: a.ShareMilli, CPUMilli: a.CPUMilli,
		MemMiB: a.MemMiB}, a.WorkerGPUs, false}
	if r.ShareMilli == 0 {
		r.ShareMilli = 1000
	}
	i, ok := p.index[r]
	if !ok {
		i = int32(len(p.shapes))
		p.index[r] = i
		p.shapes = append(p.shapes, shape{Demand: r.Demand, pod: podOf(v.Topology(), &r), worker: r.worker})
	}
	return i
}

// podOf is the size of a learner: the largest divisor of the worker that the trace states, else of
// the gang, of which the empty machines hold as many as the gang needs.
func podOf(t *cluster.Topology, r *request) int32 {
	d := r.worker
	if d <= 0 || r.GPUs%d != 0 {
		d = r.GPUs
	}
	for of := d; d > 1; d-- {
		if of%d != 0 {
			continue
		}
		n := int64(0)
		for m := range t.Machines() {
			lo, hi := t.MachineGPUs(m)
			if typed(t, m, r.Type) {
				n += most(int64(hi-lo), t.CPUMilli(m), t.MemMiB(m), &r.Demand) / int64(d)
			}
		}
		if n >= int64(r.GPUs/d) {
			break
		}
	}
	return d
}

// most is how many GPUs of a demand a machine carries that has so many, and CPU and memory where
// these are above 0.
func most(gpus, cpu, mem int64, d *plan.Demand) int64 {
	if cpu > 0 && d.CPUMilli > 0 {
		gpus = min(gpus, cpu/int64(d.CPUMilli))
	}
	if mem > 0 && d.MemMiB > 0 {
		gpus = min(gpus, mem/int64(d.MemMiB))
	}
	return gpus
}

// typed reports whether a job of a type may use a machine.
func typed(t *cluster.Topology, m int, typ string) bool {
	return typ == "" || len(t.Types()) == 1 || t.Type(m) == typ
}
