package backfill

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Extend moves the ends that have passed ahead of now and reports whether there were any.
func (e *Ends) Extend(now sim.Time) (moved bool) {
	for {
		if _, ok := e.ExtendFirst(now); !ok {
			return moved
		}
		moved = true
	}
}

// ExtendFirst moves the earliest end ahead of now if it has passed, and gives the job with its new
// end; false where no end has passed.
func (e *Ends) ExtendFirst(now sim.Time) (Ending, bool) {
	if len(e.chunks) == 0 || e.chunks[0][0].At > now {
		return Ending{}, false
	}
	x := e.chunks[0][0]
	e.remove(0, 0)
	d := x.At - x.Start
	for x.Start+d <= now && d < sim.Never/8 {
		d *= 2
	}
	x.At = max(x.Start+d, now+1)
	e.Add(x.Job, x.Start, x.At)
	return x, true
}

// Follow drops the jobs that ended or were stopped at this instant.
func (e *Ends) Follow(v *sim.View) {
	for _, ev := range v.Events() {
		if ev.Job != sim.NoJob && (ev.Kind == sim.Finish || Stopped(ev)) {
			e.Drop(ev.Job)
		}
	}
}

// Stopped reports whether a job, or a unit, was stopped by what befell it.
func Stopped(ev sim.Event) bool { return ev.Kind == sim.Fail || ev.Kind == sim.OutOfMemory }

// Reserve finds when a demand has enough GPUs by the expected ends, and what is over then in
// thousandths of GPUs; held thousandths of the free ones are not given out now. It is never, and
// nothing, where what runs does not suffice: units are down.
func (e *Ends) Reserve(v *sim.View, q *plan.Queue, d *plan.Demand, held int64) (at sim.Time, extra int64) {
	free := int64(0)
	if f := v.Free().Of(d.Type); f != nil {
		free = int64(f.Total())*1000 - held
	}
	at = v.Now()
	for x := range e.All() {
		if free >= d.Milli() && x.At > at { // what ends together is free together
			break
		}
		at = x.At
		free += Released(v, v.Topology(), x.Job, q.Demand(x.Job), d.Type)
	}
	if free < d.Milli() {
		return sim.Never / 2, 0
	}
	return at, free - d.Milli()
}

// SameGPUs reports whether two demands may want the same GPUs.
func SameGPUs(a, b *plan.Demand) bool { return a.Type == "" || b.Type == "" || a.Type == b.Type }

// Released is what the end of a running (or just started) job gives to a type.
func Released(v *sim.View, t *cluster.Topology, j sim.JobID, d *plan.Demand, typ string) int64 {
	if typ == "" || len(t.Types()) == 1 || d.Type == typ {
		return d.Milli()
	}
	if d.Type != "" {
		return 0
	}
	n := int64(0)
	for _, g := range v.Run(j).Held() {
		if t.Type(t.Machine(g)) == typ {
			n += int64(d.ShareMilli)
		}
	}
	return n
}
