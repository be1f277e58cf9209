package queueing

import "tarry/sim"

// replans states when all reservations are looked at: at each change, or an interval after the
// last time. Until then a job that ends early leaves a hole that later arrivals may have, and one
// that outlives its estimate is counted beside reservations that conflict with it: a job without
// room at its reservation loses it, and starts at an event at which it delays no reservation.
// Failures and returns of units are not put off.
type replans struct {
	interval    sim.Time
	next        sim.Time // the earliest instant of the next
	anew, early bool     // put off: making all anew, compression
}

// due reports what is to be done now, of what changed now or was put off.
func (r *replans) due(now sim.Time, units, outlived, early bool) (anew, compress bool) {
	r.anew, r.early = r.anew || units || outlived, r.early || early
	if !r.anew && !r.early || now < r.next && !units {
		return false, false
	}
	anew, compress = r.anew, r.early
	r.anew, r.early, r.next = false, false, now+r.interval
	return anew, compress
}

// wake is the instant of what was put off; Never where that is nothing.
func (r *replans) wake() sim.Time {
	if r.anew || r.early {
		return r.next
	}
	return sim.Never
}

// extend extends the jobs that outlive their estimates and reports whether there are any.
func (c *conservative) extend(v *sim.View) (any bool) {
	for {
		x, ok := c.ends.ExtendFirst(v.Now())
		if !ok {
			return any
		}
		c.profile.Take(v.Now(), x.At, c.need(x.Job))
		any = true
	}
}
