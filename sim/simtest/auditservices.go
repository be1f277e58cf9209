package simtest

import (
	"fmt"
	"math"

	"tarry/sim"
	"tarry/sim/end"
	"tarry/sim/service"
)

// serviceAudit keeps what replicas held, when machines were not lent, and what services did.
type serviceAudit struct {
	of       *service.Model
	since    []sim.Time // by machine: 1 + since when it is not lent; 0 = it is
	spans    []offSpan
	served   [][]service.Span  // by service
	replicas []offSpan         // by service (as machine): when one served
	last     map[sim.JobID]int // by replica: its last span; a tune that changes nothing cuts none
}

// Serves states the services of the run. It gives the same audit.
func (a *Audit) Serves(m *service.Model) *Audit {
	a.services.of = m
	a.services.since, a.services.last = make([]sim.Time, a.top.Machines()), map[sim.JobID]int{}
	if m != nil {
		a.services.served = make([][]service.Span, len(m.Services))
	}
	return a
}

// name is a job's or replica's.
func (a *Audit) name(j sim.JobID) string {
	if int(j) >= len(a.w.Jobs) {
		return fmt.Sprintf("replica %d", int(j)-len(a.w.Jobs))
	}
	return a.w.Jobs[j].ID
}

// Lend receives whether a machine is lent.
func (a *Audit) Lend(machine int32, lent bool, at sim.Time) {
	s, m := &a.services, int(machine)
	switch since := s.since[m]; {
	case lent == (since == 0):
		a.fault("I21: machine %d is lent: %v at %v, and was before", m, lent, at)
	case !lent:
		s.since[m] = at + 1
	default:
		s.spans = append(s.spans, offSpan{m, since - 1, at})
		s.since[m] = 0
	}
}

// Replica receives an allocation of a replica.
func (a *Audit) Replica(i *sim.Interval) {
	for _, g := range i.GPUs {
		a.ints = append(a.ints, interval{job: i.Job, gpu: g, start: i.Start, end: i.End, share: i.ShareMilli,
			cpu: i.CPUMilli, mem: i.MemMiB, gpuMiB: i.GPUMiB})
	}
	k := int32(int(i.Job) - len(a.w.Jobs))
	for s := range a.services.of.Services {
		if n := a.services.of.Services[s].Replicas; k >= n {
			k -= n
			continue
		}
		x := &a.services
		if n, known := x.last[i.Job]; known && x.replicas[n].end == i.End-i.Run && i.Run == i.End-i.Start {
			x.replicas[n].end = i.End
			return
		}
		x.last[i.Job] = len(x.replicas)
		x.replicas = append(x.replicas, offSpan{s, i.End - i.Run, i.End})
		return
	}
	a.fault("I20: replica %d, expected one of a service", int(i.Job)-len(a.w.Jobs))
}

// Serve receives what a service did over a span.
func (a *Audit) Serve(s *service.Span) {
	a.services.served[s.Service] = append(a.services.served[s.Service], *s)
}

// closeServices checks what machines that were not lent held, and each service's books.
func (a *Audit) closeServices(now sim.Time) {
	s := &a.services
	for m, since := range s.since {
		if since > 0 {
			s.spans = append(s.spans, offSpan{m, since - 1, now})
		}
	}
	for _, x := range s.spans {
		lo, hi := a.top.MachineGPUs(x.machine)
		for _, i := range a.ints {
			if inside := i.gpu >= lo && i.gpu < hi && i.start < x.end && x.start < i.end && i.start < i.end; inside &&
				int(i.job) < len(a.w.Jobs) && !(i.leaves && i.start < x.start) {
				a.fault("I21: machine %d is not lent at %v-%v, and job %q holds GPU %d at %v-%v", x.machine, x.start, x.end,
					a.name(i.job), i.gpu, i.start, i.end)
			}
		}
	}
	for k := range s.served {
		a.closeService(k, now)
	}
}

// closeService plays the spans of a service again: they follow one another, each has the load of the
// curve, the replicas that had begun to serve, and the backlog that the spans before it left.
func (a *Audit) closeService(k int, now sim.Time) {
	spec, at, q := &a.services.of.Services[k], int64(0), 0.0
	for i := range a.services.served[k] {
		x := &a.services.served[k][i]
		load, n := 0.0, int32(0)
		if spec.Load != nil {
			load = spec.Load.At(x.From)
		}
		for _, r := range a.services.replicas {
			if r.machine == k && int64(r.start) <= x.From && int64(r.end) >= x.To && r.start < r.end {
				n++
			}
		}
		if x.From != at || x.To <= x.From || x.LoadPerS != load || x.Replicas != n ||
			(n == 0) != (x.CapacityPerS == 0) || math.Abs(x.Backlog-q) > 1e-9*(1+q) {
			a.fault("I20: service %q has %+v, expected it from %d us, load %v, %d replicas, backlog %v", spec.Name, *x, at,
				load, n, q)
			return
		}
		q = math.Max(0, q+(x.LoadPerS-x.CapacityPerS)*float64(x.To-x.From)/1e6)
		at = x.To
	}
	if at != int64(now) {
		a.fault("I20: the books of service %q end at %d us, the run at %v", spec.Name, at, now)
	}
}

// leaves reports whether a job that ends an allocation for this reason may have held it for a
// checkpoint after it was stopped.
func leaves(why end.Reason) bool { return why == end.Preempt || why == end.OutOfMemory }
