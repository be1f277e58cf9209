package queueing

import (
	"slices"

	"tarry/baselines/backfill"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// reservation is a waiting job's place in the profile; at is Never while it has none.
type reservation struct {
	job    sim.JobID
	at     sim.Time
	d      sim.Time
	need   int64
	passed bool // with a rule of places: it was made for the time at which there is a place
}

// conservative gives every waiting job a reservation.
type conservative struct {
	queue   plan.Queue // for its demands
	waiting []reservation
	profile backfill.Profile
	bounds  backfill.Bounds // of holes, while reservations are made anew or compressed
	ends    backfill.Ends
	usable  int
	first   sim.Time // the earliest reservation
	without int      // waiting jobs that have none
	beyond  beyond
	replans replans
	wakes   plan.Alarm
	place   *plan.Placer
	guess   backfill.Guess
	spot    backfill.Spot // keeps GPUs for the first, with a rule of places
}

// NewConservative is conservative backfilling (Mu'alem and Feitelson, IEEE TPDS 12 (2001)): each
// job gets on arrival the earliest reservation that delays no job before it, and starts then. When
// a job ends before its estimate, reservations are compressed: in order of arrival each moves to
// the earliest hole, never later. Estimates are the run's (exact unless it states an error), with
// by=request users' requests. Parameters: ConservativeParams. With depth only the first in order of
// arrival have reservations, and others wait for their turn; with interval reservations are
// compressed, or made anew after an outlived estimate, only so often (window.go, replans.go).
//
// An arrival costs the steps of the profile. Compression, and making all anew, cost waiting jobs x
// steps, as published; on a crowded cluster two of three reservations do move. Steps lie in chunks,
// and holes found before bound later ones, so that most steps are not looked at. Other events do
// not look at the waiting jobs unless one is due.
//
// We differ: a job that outlives its estimate is not killed but extended (its estimate doubles);
// then, and when units fail or return, all reservations are made anew in order of arrival and may
// move later. Reservations count GPUs of any type and are checked again at placement: a job that
// cannot be placed when its time comes (its GPU type, CPU or memory is not to be had) loses its
// reservation and is tried again whenever something happens. With a rule of places (place)
// inplaces.go reports what is reserved.
//
//  1. A job that arrives gets a reservation: the earliest hole in the profile of free GPUs, by
//     expected ends, that delays no earlier reservation.
//  2. A job starts when its reservation begins.
//  3. When a job ends before it was expected to, reservations are compressed in order of arrival:
//     each may move to an earlier hole.
//  4. No job is preempted.
func NewConservative(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := &conservative{place: plan.NewPlacer(rule), first: sim.Never, guess: backfill.ReadGuess(s)}
	c.beyond.depth = s.Int("depth", 0, 0, 1e9)
	c.replans.interval = sim.Seconds(s.Float("interval", 0, 0, 1e9))
	where := places.Read(s)
	c.spot = backfill.NewSpot(where)
	return where.Paced(c), s.Err()
}

// ConservativeParams describes the settings of conservative for the catalogue.
const ConservativeParams = `depth      how many waiting jobs have a reservation, the first in order of arrival; 0 = all
interval   s between two compressions, or plans anew after an outlived estimate; 0 = none
` + backfill.Params + "\n" + places.Params

// Knows implements sim.Policy.
func (c *conservative) Knows() know.Set { return c.guess.Knows() }

// Decide implements sim.Policy.
func (c *conservative) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	c.place.Begin(v)
	anew := c.profile.Empty() || v.Usable() != c.usable
	early := c.leave(v, &anew)
	anew, early = c.replans.due(v.Now(), anew, c.extend(v), early)
	if early && !anew {
		c.compress(v) // before new arrivals see what became free
	}
	anew = c.enter(v, !anew) || anew
	if anew {
		c.usable = v.Usable()
		c.rebuild(v)
	}
	for {
		out = c.starts(v, out)
		if !c.refill(v) {
			return c.setTimer(v, out)
		}
	}
}

// starts starts the jobs that may.
func (c *conservative) starts(v *sim.View, out []sim.Decision) []sim.Decision {
	if c.spot.Put != nil {
		return c.inPlaces(v, out)
	}
	n := len(out)
	if c.without > 0 {
		out = c.retry(v, out)
	}
	if c.first <= v.Now() || len(out) > n {
		out = c.due(v, out)
	}
	return out
}

// leave takes the jobs that ended out of the profile and reports whether one ended early.
func (c *conservative) leave(v *sim.View, anew *bool) (early bool) {
	if !c.profile.Empty() {
		c.profile.Trim(v.Now())
	}
	for _, ev := range v.Events() {
		if ev.Job == sim.NoJob || ev.Kind != sim.Finish && !backfill.Stopped(ev) {
			continue
		}
		*anew = *anew || backfill.Stopped(ev)
		if x, ok := c.ends.Drop(ev.Job); ok && x.At > v.Now() && !*anew {
			c.profile.Take(v.Now(), x.At, -c.need(ev.Job))
			early = true
		}
	}
	return early
}

// enter lists the jobs that began to wait and gives each a reservation, unless all will be made
// anew. It reports whether all have to be, since a job came before others that had theirs.
func (c *conservative) enter(v *sim.View, reserve bool) (pushed bool) {
	for _, ev := range v.Events() {
		j := ev.Job
		if ev.Kind != sim.Arrive && !backfill.Stopped(ev) || j == sim.NoJob || v.Run(j).State() != sim.Waiting {
			continue
		}
		i, found := slices.BinarySearchFunc(c.waiting, j, func(r reservation,
			j sim.JobID) int {
			return int(r.job - j)
		})
		switch full := c.beyond.full(len(c.waiting)); {
		case found:
			continue
		case full && i == len(c.waiting):
			c.beyond.add(j)
			continue
		case full:
			c.pushOut()
			pushed = true
		}
		c.list(v, i, j)
		if reserve {
			c.reserve(&c.waiting[i], v.Now())
		}
	}
	return pushed
}

// list makes a job the i-th that waits for its reservation.
func (c *conservative) list(v *sim.View, i int, j sim.JobID) {
	c.queue.Add(v, j, 0, 0)
	c.waiting = slices.Insert(c.waiting, i, reservation{job: j, at: sim.Never, d: c.guess.Of(v, j), need: c.need(j)})
}

func (c *conservative) need(j sim.JobID) int64 { return c.queue.Demand(j).Milli() }

// reserve puts a job into the earliest hole from an instant on, which it gives; behind jobs that run
// for ever there may be none that ends.
func (c *conservative) reserve(r *reservation, from sim.Time) (hole sim.Time) {
	hole = c.profile.HoleFrom(from, r.d, r.need)
	r.at = hole
	if end := backfill.Later(r.at, r.d); end < sim.Never {
		c.profile.Take(r.at, end, r.need)
	} else {
		r.at = sim.Never
	}
	c.note(r.at)
	return hole
}

// note counts a waiting job by its reservation.
func (c *conservative) note(at sim.Time) {
	if c.first = min(c.first, at); at == sim.Never {
		c.without++
	}
}

// rebuild makes the profile and all reservations anew.
func (c *conservative) rebuild(v *sim.View) {
	c.profile.Reset(v.Now(), int64(c.usable)*1000)
	for x := range c.ends.All() {
		c.profile.Take(v.Now(), x.At, c.need(x.Job))
	}
	c.first, c.without = sim.Never, 0
	c.bounds.Reset()
	for i := range c.waiting {
		r := &c.waiting[i]
		r.passed = false
		hole := c.reserve(r, max(v.Now(), c.bounds.From(r.d, r.need)))
		c.bounds.Found(hole, r.d, r.need)
	}
}

// compress moves each reservation to the earliest hole.
func (c *conservative) compress(v *sim.View) {
	c.spot.Open()
	c.first = sim.Never
	bounds := &c.bounds
	bounds.Reset()
	for i := range c.waiting {
		r := &c.waiting[i]
		if r.at == sim.Never {
			continue
		}
		from := v.Now()
		if c.spot.Put != nil {
			from, bounds = min(r.at, c.from(v, r, i == 0, true)), nil
		}
		r.at = c.profile.Advance(bounds, from, r.at, r.d, r.need)
		c.first = min(c.first, r.at)
	}
}

// retry starts jobs without a reservation where that delays no job.
func (c *conservative) retry(v *sim.View, out []sim.Decision) []sim.Decision {
	for i := range c.waiting {
		r := &c.waiting[i]
		if r.at != sim.Never || c.profile.Hole(r.d, r.need) > v.Now() {
			continue
		}
		if out = plan.Start(v, &c.queue, c.place, nil, r.job, out); !c.queue.Has(r.job) {
			c.profile.Take(v.Now(), v.Now()+r.d, r.need)
			c.ends.Add(r.job, v.Now(), v.Now()+r.d)
		}
	}
	return out
}

// due starts the jobs whose time has come and forgets running ones.
func (c *conservative) due(v *sim.View, out []sim.Decision) []sim.Decision {
	n, now := 0, v.Now()
	c.first, c.without = sim.Never, 0
	for i := range c.waiting {
		r := &c.waiting[i]
		if r.at <= now && c.queue.Has(r.job) {
			if out = plan.Start(v, &c.queue, c.place, nil, r.job, out); !c.queue.Has(r.job) {
				c.ends.Add(r.job, now, r.at+r.d)
			} else {
				c.profile.Take(now, r.at+r.d, -r.need)
				r.at = sim.Never
			}
		}
		if c.queue.Has(r.job) {
			c.note(r.at)
			if n < i {
				c.waiting[n] = *r
			}
			n++
		}
	}
	c.waiting = c.waiting[:n]
	return out
}

// setTimer asks to be woken at the first reservation, or when reservations are to be made anew.
func (c *conservative) setTimer(v *sim.View, out []sim.Decision) []sim.Decision {
	return c.wakes.Set(v.Now(), min(c.first, c.replans.wake()), out)
}
