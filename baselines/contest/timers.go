package contest

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Fixed are the same timers for every job. Build them with NewFixed.
type Fixed struct {
	// RackLeases and NetLeases are the timers in leases.
	RackLeases, NetLeases float64
	rack, net             sim.Time
}

// NewFixed are timers of so many leases of leaseS seconds; 0 = at once, +Inf = never.
func NewFixed(rack, net, leaseS float64) Fixed {
	return Fixed{rack, net, Leases(rack, leaseS), Leases(net, leaseS)}
}

// Timers gives both timers.
func (f Fixed) Timers(int, sim.Time) (rack, net, until sim.Time) { return f.rack, f.net, sim.Never }

// Accepted does nothing.
func (Fixed) Accepted(int, cluster.Level, sim.Time, sim.Time) {}

// Leases converts a number of leases to a time; infinite = Never.
func Leases(n, leaseS float64) sim.Time {
	if math.IsInf(n, 1) || math.IsInf(leaseS, 1) && n > 0 {
		return sim.Never
	}
	if n == 0 {
		return 0
	}
	return sim.Seconds(float64(n * leaseS))
}

// copier is a source of timers that a copy of the contest copies; others are shared.
type copier interface {
	Copied(dst plan.TimerSource) plan.TimerSource
}

// CopyTimers copies a source of timers into the memory of another, which may be nil. A source
// without a method Copied is given back as it is.
func CopyTimers(dst, src plan.TimerSource) plan.TimerSource {
	if c, ok := src.(copier); ok {
		return c.Copied(dst)
	}
	return src
}
