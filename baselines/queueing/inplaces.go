package queueing

import (
	"tarry/baselines/backfill"
	"tarry/sim"
)

// With a rule of places conservative reserves numbers of GPUs as without one, and looks at places
// when a job may start:
//
//  1. A job starts at its reservation if it has a place by the rule then. One that has none is passed over: it is reserved the earliest hole from
//     the first expected end of a running job at which it would have a place by what runs. It starts before that at an event at which it has a
//     place and delays no reservation, and when it is compressed the hole is looked for from when it has a place.
//  2. The first in order of arrival is reserved as one that was passed over from when it is the first, anew at each event, and the GPUs of its
//     place are kept: a job that may run on when the first is to start does not take them.
//
// So, by the estimates and without faults, nothing moves a reservation later but its own job's want
// of a place, and nothing at all does once the job is the first and is reserved so: then it starts
// at the latest. (CPU and memory are not kept.) An event looks for a place at most at each end of a
// running job, for the first and for each demand that is passed over.

// inPlaces starts jobs in order of arrival, at places by the rule.
func (c *conservative) inPlaces(v *sim.View, out []sim.Decision) []sim.Decision {
	c.spot.Open()
	c.first, c.without = sim.Never, 0
	n, kept := 0, sim.Never
	for i := range c.waiting {
		r := &c.waiting[i]
		if n == 0 || r.passed || r.at <= v.Now() || r.at == sim.Never {
			if out = c.tryInPlace(v, r, v.Now()+r.d > kept, out); !c.queue.Has(r.job) {
				continue
			}
			c.passOver(v, r, n == 0)
		}
		if n == 0 {
			kept = r.at
		}
		c.note(r.at)
		if n < i {
			c.waiting[n] = *r
		}
		n++
	}
	c.waiting = c.waiting[:n]
	return out
}

// tryInPlace starts a job if it has a place and delays no other reservation.
func (c *conservative) tryInPlace(v *sim.View, r *reservation, late bool, out []sim.Decision) []sim.Decision {
	now := v.Now()
	if v.Free().Total() == 0 && !c.queue.Sharing() {
		return out
	}
	due := r.at <= now
	if !due && r.at < sim.Never {
		c.profile.Take(r.at, r.at+r.d, -r.need)
	}
	if due || c.profile.Until(r.need) >= backfill.Later(now, r.d) {
		if out = c.spot.StartOnce(v, c.place, &c.queue, r.job, late, out); !c.queue.Has(r.job) {
			if !due {
				c.profile.Take(now, now+r.d, r.need)
			}
			c.ends.Add(r.job, now, now+r.d)
			return out
		}
	}
	if !due && r.at < sim.Never {
		c.profile.Take(r.at, r.at+r.d, r.need)
	}
	return out
}

// passOver gives a job that has no place now its reservation: from when it has one if that lay at
// this instant, and the first in any case.
func (c *conservative) passOver(v *sim.View, r *reservation, first bool) {
	later := r.at > v.Now() && r.at < sim.Never
	// nothing starts that could take the GPUs of the first
	if later && (!first || r.passed && v.Free().Total() == 0 && !c.queue.Sharing()) {
		return
	}
	from := c.from(v, r, first, first)
	if from == sim.Never && later {
		return
	}
	if r.at < sim.Never {
		c.profile.Take(r.at, r.at+r.d, -r.need)
	}
	r.passed, r.at = true, sim.Never
	if from < sim.Never {
		c.reserve(r, from)
	}
}

// from is when by what runs a job has a place; the GPUs of the first are kept.
func (c *conservative) from(v *sim.View, r *reservation, first, soon bool) sim.Time {
	if first {
		return c.spot.Keep(v, c.place, &c.queue, &c.ends, r.job, soon)
	}
	return c.spot.When(v, c.place, &c.queue, &c.ends, r.job, soon)
}
