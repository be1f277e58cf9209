package sim

import (
	"math"

	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/service"
)

// Services is what a policy or operator sees of the services of a run, and of machines that are
// lent; valid as long as its View. Replicas have the JobIDs from NumJobs on, service by service, and
// View.Run and View.Job take them.
type Services struct{ v *View }

// Services shows the services; there are none in most runs.
func (v *View) Services() Services { return Services{v} }

// Len is the number of services.
func (s Services) Len() int { return len(s.v.e.fleet.services) }

// Spec is what was stated of a service. It must not be changed.
func (s Services) Spec(i int) *service.Spec { return &s.v.e.specs()[i] }

// Latency is the latency model of the run.
func (s Services) Latency() service.Latency {
	if m := s.v.e.cfg.Services; m != nil {
		return m.Latency
	}
	return service.Fluid
}

// Load is the requests per second that arrive now.
func (s Services) Load(i int) float64 { return s.v.e.fleet.services[i].load }

// LoadAt is the load at an instant: NaN for one to come without know.Series.
func (s Services) LoadAt(i int, at Time) float64 {
	l := s.Spec(i).Load
	switch {
	case at > s.v.e.now && s.v.knows&know.Series == 0:
		return math.NaN()
	case l == nil:
		return 0
	}
	return l.At(int64(at))
}

// Capacity is the requests per second that can be served now.
func (s Services) Capacity(i int) float64 { return s.v.e.capacity(i) }

// Ready counts the replicas that serve.
func (s Services) Ready(i int) int { return int(s.v.e.fleet.services[i].ready) }

// Use is the part of the time for which the replicas of a service keep their GPUs busy.
func (s Services) Use(i int) float64 { return s.v.e.fleet.services[i].use }

// Ledger is what became of the requests up to now; its Backlog waits now.
func (s Services) Ledger(i int) service.Ledger {
	e := s.v.e
	v := &e.fleet.services[i]
	l := v.ledger
	if v.since < e.now {
		sp := e.span(i)
		l.Add(&e.specs()[i], e.cfg.Services.Latency, &sp)
	}
	return l
}

// Backlog is the number of requests that wait now.
func (s Services) Backlog(i int) float64 { return s.Ledger(i).Backlog }

// Replicas gives the JobIDs of a service's replicas: first up to, but not, end.
func (s Services) Replicas(i int) (first, end JobID) {
	return s.v.e.firsts[i], s.v.e.firsts[i+1]
}

// ReadyAt is when the pause of a running replica or job ends: now or earlier where it serves, or makes
// progress.
func (s Services) ReadyAt(id JobID) Time { return s.v.e.of(id).settled }

// Of is the service of a replica; -1 for a job.
func (s Services) Of(id JobID) int {
	if !s.v.e.isReplica(id) {
		return -1
	}
	return s.v.e.serviceOf(id)
}

// On is the first replica on a GPU, or NoJob.
func (s Services) On(g cluster.GPU) JobID {
	if e := s.v.e; e.fleet.gpus > 0 && e.fleet.on[g] > 0 {
		return e.first(g, true)
	}
	return NoJob
}

// Room is what a replica may take of a GPU, in thousandths: 0 where it failed, or its machine is not
// on or cordoned by the policy.
func (s Services) Room(g cluster.GPU) int {
	e := s.v.e
	down := e.down[g]
	if e.operated() && e.fleet.withheld[e.top.Machine(g)] {
		down--
	}
	if down > 0 {
		return 0
	}
	return 1000 - int(e.used[g])
}

// Own reports whether a machine belongs to the services.
func (s Services) Own(machine int) bool {
	m := s.v.e.cfg.Services
	return m != nil && m.Own != nil && m.Own[machine]
}

// Lent reports whether jobs may run on a machine as far as the operator is concerned.
func (s Services) Lent(machine int) bool { return !s.v.e.operated() || !s.v.e.fleet.withheld[machine] }

// ReturnAt is when a machine that is lent will be taken back; Never where that is not known.
func (s Services) ReturnAt(machine int) Time {
	if !s.v.e.operated() {
		return Never
	}
	return s.v.e.fleet.returnAt[machine]
}

// first is the first job, or replica, on a GPU; NoJob without one.
func (e *Engine) first(g cluster.GPU, replica bool) JobID {
	n := e.mates.of(int(g))
	if n == 0 {
		if x := e.owner[g]; x != NoJob && e.isReplica(x) == replica {
			return x
		}
		return NoJob
	}
	for ; n != 0; n = e.mates.nodes[n-1].next {
		if x := e.mates.nodes[n-1].job; e.isReplica(x) == replica {
			return x
		}
	}
	return NoJob
}

// asked is a job as speed models get it: a replica is as busy as its load makes it.
func (e *Engine) asked(id JobID) *Job {
	j := e.job(id)
	if e.isReplica(id) {
		j.GPUUtilFrac = e.fleet.services[e.serviceOf(id)].use
	}
	return j
}

// startOf is how long a replica serves nothing after a change.
func (e *Engine) startOf(id JobID, kind DecisionKind) Time {
	if kind != Start && kind != Migrate {
		return 0
	}
	return Seconds(e.specs()[e.serviceOf(id)].StartS)
}
