package sim

import (
	"fmt"
	"math"
	"slices"

	"tarry/sim/cluster"
	"tarry/sim/end"
	"tarry/sim/service"
)

// fleet is the state of services and loans; the zero value has none.
type fleet struct {
	services []serving
	speeds   []int64 // by replica: what it gives, in 1e-9 of a replica at speed 1; 0 = it does not serve
	up       []JobID // replicas that hold GPUs, in no order
	on       []int32 // GPU -> replicas on it
	gpus     int     // GPUs with a replica
	withheld []bool  // machine -> it is not lent
	returnAt []Time  // machine -> when it will not be; Never = not known
	wake     Time    // the operator's timer
	shift    Time    // the first change of a load
	vain     int     // such instants while no job held GPUs and none was to come
	events   []Event // that the operator alone sees
	gave     bool    // GPUs came to the jobs
	took     bool    // or were taken from them
	operator Operator
}

// serving is one service.
type serving struct {
	load, use float64
	speed     int64 // the sum of its replicas' speeds
	ready     int32
	since     Time // up to when the ledger is booked
	next      Time // when the load changes
	ledger    service.Ledger
}

func (f *fleet) copyFrom(from *fleet) {
	was := *f
	*f = *from
	f.services, f.speeds = append(was.services[:0], from.services...), append(was.speeds[:0], from.speeds...)
	f.up, f.on = append(was.up[:0], from.up...), append(was.on[:0], from.on...)
	f.withheld, f.returnAt = append(was.withheld[:0], from.withheld...), append(was.returnAt[:0], from.returnAt...)
	f.events = append(was.events[:0], from.events...)
	if from.operator != nil {
		f.operator = from.operator.Clone().(Operator)
	}
}

// operated reports whether the run has services or loans.
func (e *Engine) operated() bool { return e.fleet.withheld != nil }

// isReplica reports whether an id is of a replica.
func (e *Engine) isReplica(id JobID) bool { return int(id) >= e.total }

// specs are the services of the run.
func (e *Engine) specs() []service.Spec {
	if e.cfg.Services == nil {
		return nil
	}
	return e.cfg.Services.Services
}

// enlist gives each replica an id behind the ids of the jobs, and a row.
func (e *Engine) enlist() error {
	f := &e.fleet
	f.wake, f.shift = Never, Never
	if e.cfg.Services == nil && e.cfg.Operator == nil {
		return nil
	}
	f.withheld, f.returnAt = make([]bool, e.top.Machines()), make([]Time, e.top.Machines())
	for i := range f.returnAt {
		f.returnAt[i] = Never
	}
	f.on = make([]int32, e.top.GPUs())
	if e.cfg.Operator != nil {
		f.operator, f.wake = e.cfg.Operator.Clone().(Operator), 0
	}
	e.firsts = []JobID{JobID(e.total)}
	e.jobs = slices.Clip(e.jobs)
	for i := range e.specs() {
		s := &e.specs()[i]
		if max(1, int(s.GPUs)) > e.top.GPUs() {
			return fmt.Errorf("config: service %q takes %d GPUs for each replica, the cluster has %d", s.Name, s.GPUs,
				e.top.GPUs())
		}
		for k := range s.Replicas {
			e.addReplica(Job{ID: fmt.Sprintf("%s/%d", s.Name, k), GPUs: max(1, s.GPUs), Work: maxTime, Model: s.Model,
				User: s.Tenant, VC: s.Tenant, GPUType: s.GPUType, ShareMilli: s.ShareMilli, CPUMilli: s.CPUMilli,
				MemMiB: s.MemMiB, GPUMiB: s.GPUMiB})
		}
		e.firsts = append(e.firsts, JobID(len(e.at)))
		v := serving{next: Never}
		if s.Load != nil {
			v.load, v.next = s.Load.At(0), Time(s.Load.Next(0))
		}
		f.services = append(f.services, v)
		f.shift = min(f.shift, v.next)
	}
	f.speeds = make([]int64, len(e.at)-e.total)
	return nil
}

func (e *Engine) addReplica(j Job) {
	id := JobID(len(e.at))
	e.at = append(e.at, int32(len(e.runs)))
	r := unlisted(Waiting)
	r.id, r.left, r.saved, r.fell, r.least = id, float64(j.Work), float64(j.Work), float64(j.Work), float64(j.Work)
	e.runs = append(e.runs, r)
	e.events.pos = append(e.events.pos, 0)
	if e.own != nil {
		e.own = append(e.own, j)
		return
	}
	e.jobs = append(e.jobs, j)
}

// serviceOf is the service of a replica.
func (e *Engine) serviceOf(id JobID) int {
	i, _ := slices.BinarySearch(e.firsts, id+1)
	return i - 1
}

// idleReplica takes a replica's GPUs away.
func (e *Engine) idleReplica(r *run, why end.Reason) {
	e.release(r, why)
	e.wait(r)
}

// lodge notes replicas that come to GPUs (1) or leave them (-1).
func (e *Engine) lodge(gpus []cluster.GPU, by int32) {
	f := &e.fleet
	for _, g := range gpus {
		was := f.on[g]
		f.on[g] += by
		switch seen := !f.withheld[e.top.Machine(g)]; {
		case was == 0:
			f.gpus++
			f.took = f.took || seen
		case f.on[g] == 0:
			f.gpus--
			f.gave = f.gave || seen
		}
	}
}

// closeServices books and reports what is left at the end of a run.
func (e *Engine) closeServices() {
	for s := range e.fleet.services {
		e.settleService(s)
	}
	for len(e.fleet.up) > 0 {
		e.idleReplica(e.of(e.fleet.up[0]), end.Horizon)
	}
}

// verifyServices checks I20 and I21, and adds what replicas use of GPUs.
func (e *Engine) verifyServices(used []int32) error {
	if !e.operated() {
		return nil
	}
	f := &e.fleet
	on, gpus, up := make([]int32, len(f.on)), 0, 0
	for id := JobID(e.total); int(id) < len(e.at); id++ {
		r := e.of(id)
		if (r.state == Running) != (len(r.gpus) > 0) || r.state != Running && r.state != Waiting {
			return fmt.Errorf("I4: replica %q is %v and holds %d GPUs", e.job(id).ID, r.state, len(r.gpus))
		}
		up += int(min(1, len(r.gpus)))
		for _, g := range r.gpus {
			used[g] += r.share
			on[g]++
		}
	}
	for g, n := range on {
		if gpus += int(min(1, n)); n != f.on[g] {
			return fmt.Errorf("I21: GPU %d has %d replicas, counted %d", g, n, f.on[g])
		}
	}
	if gpus != f.gpus || up != len(f.up) {
		return fmt.Errorf("I21: %d GPUs have replicas, counted %d; %d replicas hold GPUs, listed %d", gpus, f.gpus, up,
			len(f.up))
	}
	for s := range f.services {
		v, sum, ready := &f.services[s], int64(0), int32(0)
		for _, gives := range f.speeds[int(e.firsts[s])-e.total : int(e.firsts[s+1])-e.total] {
			sum += gives
			ready += int32(min(1, gives))
		}
		l := &v.ledger
		if slack := 1e-9*l.Arrived + 1e-9; sum != v.speed || ready != v.ready || l.Backlog < 0 ||
			math.Abs(l.Arrived-l.Served-l.Backlog) > slack || l.Good > l.Arrived+slack || l.Good < 0 {
			return fmt.Errorf("I20: service %q has speed %d of %d by %d replicas of %d, %v requests arrived, %v served, "+
				"%v good, %v wait", e.specs()[s].Name, sum, v.speed, ready, v.ready, l.Arrived, l.Served, l.Good, l.Backlog)
		}
	}
	return e.trespass()
}
