package operate

import (
	"math"

	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/service"
	"tarry/sim/service/mmc"
)

// scale states how many replicas a service should have.
type scale struct {
	by       basis
	number   int // of replicas; 0 = as many as a service may have
	headroom float64
	drain    sim.Time
	least    int
	ahead    sim.Time
}

// basis is what the number of replicas goes by.
type basis uint8

const (
	byLoad basis = iota
	number
	none
)

// read takes the settings of a scale by load.
func (c *scale) read(s *param.Set) {
	c.headroom = s.Float("headroom", 1.1, 0.01, 100)
	c.drain = sim.Seconds(s.Float("drain_s", 60, 0.001, 1e9))
	c.least = s.Int("least", 1, 0, 1<<20)
	c.ahead = sim.Seconds(s.Float("ahead_s", 0, 0, 1e9))
}

// knows is what the scale needs.
func (c *scale) knows() know.Set {
	if c.ahead > 0 {
		return know.Series
	}
	return know.Nothing
}

// now is the number of replicas for the present load, the backlog, and the highest load ahead.
func (c *scale) now(v *sim.View, i int) int {
	s := v.Services()
	load := c.highest(v, i, v.Now())
	if c.by == byLoad {
		load = max(load, s.Load(i)+s.Backlog(i)/c.drain.Seconds())
	}
	return c.replicas(v, i, load)
}

// at is the number of replicas for the loads from a coming instant on.
func (c *scale) at(v *sim.View, i int, at sim.Time) int { return c.replicas(v, i, c.highest(v, i, at)) }

// highest is the highest load from an instant on for as long as the scale looks ahead.
func (c *scale) highest(v *sim.View, i int, from sim.Time) float64 {
	if c.ahead == 0 {
		return v.Services().LoadAt(i, from)
	}
	return highest(v, i, from, from+c.ahead)
}

// highest is the highest load from an instant to another.
func highest(v *sim.View, i int, from, to sim.Time) float64 {
	load := v.Services().LoadAt(i, from)
	curve := v.Services().Spec(i).Load
	if curve == nil {
		return load
	}
	for at := curve.Next(int64(from)); at != math.MaxInt64 && sim.Time(at) <= to; at = curve.Next(at) {
		load = max(load, curve.At(at))
	}
	return load
}

// replicas is the least number for a load: with the latency of M/M/c that the target part is answered
// in time, else that the capacity is not below the load. Where no number suffices it is the most.
func (c *scale) replicas(v *sim.View, i int, load float64) int {
	s := v.Services()
	spec := s.Spec(i)
	most := int(spec.Replicas)
	switch {
	case c.by == none:
		return 0
	case c.by == number && c.number == 0:
		return most
	case c.by == number:
		return min(most, c.number)
	case load <= 0:
		return min(most, c.least)
	}
	return max(min(most, c.least), fewest(spec, s.Latency(), rateOf(v, i), load*c.headroom))
}

// rateOf is what one replica of a service serves now; without one that serves, what is stated.
func rateOf(v *sim.View, i int) float64 {
	if n := v.Services().Ready(i); n > 0 && v.Services().Capacity(i) > 0 {
		return v.Services().Capacity(i) / float64(n)
	}
	return v.Services().Spec(i).RatePerS
}

// fewest is the least number of replicas of such a rate for a load above 0, at most what a service may
// have.
func fewest(spec *service.Spec, latency service.Latency, rate, load float64) int {
	most := int(spec.Replicas)
	n := most
	if load < float64(rate*float64(most)) {
		n = int(math.Ceil(load/rate - 1e-9))
		if latency == service.MMC && spec.Target > 0 && spec.DeadlineS > 0 {
			if n = mmc.Least(load, rate, spec.DeadlineS, spec.Target, most); n < 0 {
				n = most
			}
		}
	}
	return min(most, n)
}

// again is when a service with a backlog is looked at again; Never without one.
func (c *scale) again(v *sim.View, i int) sim.Time {
	s := v.Services()
	q, over := s.Backlog(i), s.Capacity(i)-s.Load(i)
	if c.by != byLoad || q == 0 && over >= 0 {
		return sim.Never
	}
	at := v.Now() + c.drain
	if over > 0 {
		at = min(at, v.Now()+1+sim.Seconds(q/over))
	}
	return at
}

// next is the first instant after now at which a load comes into sight that is so far ahead; Never
// where there is none.
func next(v *sim.View, ahead sim.Time) sim.Time {
	soon := sim.Never
	for i := range v.Services().Len() {
		curve := v.Services().Spec(i).Load
		if curve == nil {
			continue
		}
		if at := curve.Next(int64(v.Now() + ahead)); at != math.MaxInt64 {
			soon = min(soon, sim.Time(at)-ahead)
		}
	}
	return soon
}
