package queueing

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// reserveGPUs finds when by the estimates the head can have GPUs by its rule of places, and which.
func (e *easy) reserveGPUs(v *sim.View, head sim.JobID, d *plan.Demand) {
	e.shadow, e.extra, e.mine = sim.Never/2, 0, e.mine[:0]
	gone := 0
	for gone < len(e.ends) {
		at := e.ends[gone].At
		for ; gone < len(e.ends) && e.ends[gone].At == at; gone++ { // what ends together is free together
			e.free(v, e.ends[gone].Job)
		}
		if gpus, ok := e.place.Try(e.put, v, head, d); ok {
			e.shadow, e.mine = at, append(e.mine, gpus...)
			break
		}
	}
	for _, x := range e.ends[:gone] {
		if gpus := e.held(v, x.Job); len(gpus) > 0 {
			e.place.Plan(v, gpus, e.queue.Demand(x.Job))
		}
	}
}

// free plans as if a job had ended.
func (e *easy) free(v *sim.View, j sim.JobID) {
	e.place.Unplan(v, e.held(v, j), e.queue.Demand(j))
}

// held is what a job holds, one that starts at this instant too.
func (e *easy) held(v *sim.View, j sim.JobID) []cluster.GPU {
	if e.at == v.Now() {
		for i := range e.grants {
			if e.grants[i].Job == j {
				return e.grants[i].GPUs
			}
		}
	}
	return v.Held(j)
}

// granted notes a start, where reservations are of GPUs.
func (e *easy) granted(v *sim.View, d sim.Decision) {
	if e.put == nil {
		return
	}
	if e.at != v.Now() {
		e.at, e.grants = v.Now(), e.grants[:0]
	}
	e.grants = append(e.grants, d)
}

// behind starts a job behind the head if it fits: on GPUs that are not reserved, where it may end too late.
func (e *easy) behind(v *sim.View, j sim.JobID, late bool, out []sim.Decision) []sim.Decision {
	if e.put == nil || !late {
		return e.start(v, j, out)
	}
	f := v.Free()
	kept := make([]cluster.GPU, 0, len(e.mine))
	for _, g := range e.mine {
		if f.Has(g) {
			f.Take(g)
			kept = append(kept, g)
		}
	}
	out = e.start(v, j, out)
	for _, g := range kept {
		f.Release(g)
	}
	return out
}
