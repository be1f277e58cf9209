package multifactor

import (
	"math"
	"slices"

	"tarry/baselines/backfill"
	"tarry/sim"
	"tarry/sim/plan"
)

// forecast makes the profile of what is free from now on by what runs.
func (p *Policy) forecast(v *sim.View) {
	p.profile.Reset(v.Now(), int64(v.Usable())*1000)
	for x := range p.ends.All() {
		p.profile.Take(v.Now(), x.At, p.queue.Demand(x.Job).Milli())
	}
}

// reserve takes a job out of the queue and gives it the earliest hole from an instant on.
func (p *Policy) reserve(v *sim.View, j sim.JobID, from sim.Time) sim.Time {
	d, need := p.cfg.guess.Of(v, j), p.queue.Demand(j).Milli()
	at := p.profile.HoleFrom(from, d, need)
	p.book(j, at, d, need)
	return at
}

// book takes a job out of the queue and gives it a hole.
func (p *Policy) book(j sim.JobID, at, d sim.Time, need int64) {
	if end := backfill.Later(at, d); end < sim.Never { // behind jobs that run for ever there is none
		p.profile.Take(at, end, need)
	}
	p.queue.Remove(j)
	p.held = append(p.held, j)
}

// reserveFirst reserves for the first that does not fit: with a rule of places from when it has a
// place by what runs, whose GPUs are kept.
func (p *Policy) reserveFirst(v *sim.View, j sim.JobID) {
	from := v.Now()
	if p.spot.Put != nil {
		p.spot.Open()
		if from = p.spot.Keep(v, p.place, &p.queue, &p.ends, j, false); from == sim.Never {
			from = v.Now()
		}
	}
	p.kept = p.reserve(v, j, from)
}

// behind tries to start a job behind the first: on none of the GPUs kept for that, where it may run
// on.
func (p *Policy) behind(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	if p.spot.Put == nil {
		return p.start(v, j, out)
	}
	return p.began(v, j, p.spot.StartOnce(v, p.place, &p.queue, j, p.late(v, j), out))
}

// late reports whether a job may run on when the first is to start.
func (p *Policy) late(v *sim.View, j sim.JobID) bool {
	return backfill.Later(v.Now(), p.cfg.guess.Of(v, j)) > p.kept
}

// restore puts the jobs with reservations back into the queue.
func (p *Policy) restore(v *sim.View, weight bool) {
	for _, j := range slices.Backward(p.held) { // in order they come before jobs that are left
		w := 0.0
		if weight {
			w = p.queue.Weight(j)
		}
		p.queue.Add(v, j, p.queue.Key(j), w)
	}
	p.held = p.held[:0]
}

// behindOne starts jobs that do not delay the first that does not fit.
func (p *Policy) behindOne(v *sim.View, head sim.JobID, out []sim.Decision) []sim.Decision {
	p.forecast(v)
	p.reserveFirst(v, head)
	for {
		j := p.queue.Within(func(d *plan.Demand) float64 { return p.bound(v.Now(), d) })
		if j == sim.NoJob {
			break
		}
		if out = p.behind(v, j, out); p.queue.Has(j) {
			if p.spot.Put == nil || !p.late(v, j) { // else the bound is for shorter ones now
				p.queue.Close(j)
			}
			continue
		}
		p.profile.Take(v.Now(), v.Now()+p.cfg.guess.Of(v, j), p.queue.Demand(j).Milli())
	}
	p.restore(v, true)
	return out
}

// bound is the longest run time with which a job of a demand may be started now.
func (p *Policy) bound(now sim.Time, d *plan.Demand) float64 {
	if p.spot.Put != nil && p.spot.Late(d) {
		return min(p.until(now, d), float64(p.kept-now))
	}
	return p.until(now, d)
}

// until is the longest run time for which a demand is free from now on; -Inf where it is not free
// now.
func (p *Policy) until(now sim.Time, d *plan.Demand) float64 {
	switch end := p.profile.Until(d.Milli()); end {
	case now:
		return math.Inf(-1)
	case sim.Never:
		return math.Inf(1)
	default:
		return float64(end - now)
	}
}

// behindAll gives every job that does not fit a reservation, in order, and starts jobs whose
// reservation begins now.
func (p *Policy) behindAll(v *sim.View, head sim.JobID, out []sim.Decision) []sim.Decision {
	p.forecast(v)
	p.reserveFirst(v, head)
	for n := 1; n < p.cfg.depth && (v.Free().Total() > 0 || p.queue.Sharing()); n++ {
		j := p.queue.Best()
		if j == sim.NoJob {
			break
		}
		d, need := p.cfg.guess.Of(v, j), p.queue.Demand(j).Milli()
		at := p.profile.Hole(d, need)
		if at == v.Now() {
			if out = p.behind(v, j, out); !p.queue.Has(j) {
				p.profile.Take(at, backfill.Later(at, d), need)
				continue
			}
			if p.spot.Put != nil {
				p.reserve(v, j, p.spot.When(v, p.place, &p.queue, &p.ends, j, false))
				continue
			}
		}
		p.book(j, at, d, need)
	}
	p.restore(v, false)
	return out
}
