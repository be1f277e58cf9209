package sim

import (
	"fmt"
	"math"

	"tarry/sim/service"
)

// capacity is the requests per second that a service can serve.
func (e *Engine) capacity(s int) float64 {
	return e.specs()[s].RatePerS * (float64(e.fleet.services[s].speed) / 1e9)
}

// settleService books the time since a service last changed.
func (e *Engine) settleService(s int) {
	v := &e.fleet.services[s]
	if v.since >= e.now {
		return
	}
	sp := e.span(s)
	v.ledger.Add(&e.specs()[s], e.cfg.Services.Latency, &sp)
	v.since = e.now
	for _, o := range e.servers {
		e.observedSpan = sp
		o.Serve(&e.observedSpan)
	}
}

// span is the time since a service last changed.
func (e *Engine) span(s int) service.Span {
	v := &e.fleet.services[s]
	return service.Span{Service: int32(s), From: int64(v.since), To: int64(e.now), LoadPerS: v.load,
		CapacityPerS: e.capacity(s), Replicas: v.ready, Backlog: v.ledger.Backlog}
}

// recount books what a replica gives from now on.
func (e *Engine) recount(r *run) {
	gives := int64(0)
	if r.state == Running && !r.out && len(r.gpus) > 0 && r.settled <= e.now {
		gives = int64(math.Round(r.rate / float64(len(r.gpus)) * 1e9))
	}
	had := e.fleet.speeds[int(r.id)-e.total]
	if gives == had {
		return
	}
	s := e.serviceOf(r.id)
	e.settleService(s)
	v := &e.fleet.services[s]
	e.fleet.speeds[int(r.id)-e.total] = gives
	v.speed += gives - had
	switch {
	case had == 0:
		v.ready++
	case gives == 0:
		v.ready--
	}
	e.use(s)
}

// use notes how busy the replicas of a service are, and marks the jobs beside them to be asked
// again where that changed.
func (e *Engine) use(s int) {
	v, spec := &e.fleet.services[s], &e.specs()[s]
	use := 0.0
	if c := e.capacity(s); v.load > 0 {
		use = 1
		if v.load < c {
			use = v.load / c
		}
	}
	if spec.UtilFrac > 0 {
		use *= spec.UtilFrac
	}
	if use == v.use {
		return
	}
	v.use = use
	if e.mates.many == 0 && len(e.powered) == 0 {
		return
	}
	for id := e.firsts[s]; id < e.firsts[s+1]; id++ {
		r := e.of(id)
		if len(r.gpus) == 0 {
			continue
		}
		e.tellDraw(r)
		for _, g := range r.gpus {
			for n := e.mates.of(int(g)); n != 0; n = e.mates.nodes[n-1].next {
				if x := e.mates.nodes[n-1].job; !e.isReplica(x) {
					e.touched = append(e.touched, x)
				}
			}
		}
	}
}

// scheduleReplica sets the end of a replica's pause.
func (e *Engine) scheduleReplica(r *run) {
	at := Never
	if r.settled > e.now && len(r.gpus) > 0 {
		at = r.settled
	}
	e.events.put(e.at[r.id], at, atMark)
	e.recount(r)
	e.tellDraw(r)
}

// surge lets the loads change that are due.
func (e *Engine) surge() {
	f := &e.fleet
	if f.shift != e.now {
		return
	}
	f.shift = Never
	for s := range f.services {
		v := &f.services[s]
		if v.next == e.now {
			e.settleService(s)
			l := e.specs()[s].Load
			v.load, v.next = l.At(int64(e.now)), Time(l.Next(int64(e.now)))
			e.use(s)
			e.batch = append(e.batch, Event{Kind: Load, Job: NoJob, Key: int32(s)})
		}
		f.shift = min(f.shift, v.next)
	}
	e.inVain()
}

// inVain counts instants of services alone, and ends a run in which jobs wait for ever.
func (e *Engine) inVain() {
	f := &e.fleet
	if f.vain++; len(e.running)+e.draining > 0 || e.nextSubmit != Never || e.cfg.Until > 0 {
		f.vain = 0
	}
	if f.vain >= patience {
		e.err = fmt.Errorf("at %v: %d jobs wait, among them job %q, and the load of services or their operator changed "+
			"%d times without a start, expected a policy that starts them, an operator that leaves them GPUs, or an end "+
			"of the run (until)", e.now, e.waiting, e.job(e.firstWaiting()).ID, f.vain)
	}
}
