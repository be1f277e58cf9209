// Package mmc has the stationary queue M/M/c: Poisson arrivals, exponential times of service, c
// servers, first come first served.
package mmc

import (
	"math"

	"tarry/internal/fixmath"
)

// Wait is Erlang's C, the part of the requests that wait: load and rate (of one server) are per
// second. 1 where the load is not below c x rate. The recursion does not overflow.
func Wait(c int, load, rate float64) float64 {
	a := load / rate
	if !(a < float64(c)) {
		return 1
	}
	b := 1.0
	for k := 1; k <= c; k++ {
		b = float64(a*b) / (float64(k) + float64(a*b))
	}
	return b / (1 - float64(a/float64(c)*(1-b)))
}

// Tail is P(T > t), T being the time from a request's arrival to its answer, in seconds: e^(-rate t),
// plus for the part that waits what its wait adds, rate (e^(-rate t) - e^(-over t)) / (over - rate),
// without a difference of two near numbers and without a power that overflows.
func Tail(c int, load, rate, t float64) float64 {
	over := float64(float64(c)*rate) - load
	if t <= 0 || !(over > 0) {
		return 1
	}
	slow, apart := min(over, rate), math.Abs(over-rate)
	later := t
	if apart > 0 {
		later = -fixmath.Expm1(-float64(apart*t)) / apart
	}
	waits := float64(Wait(c, load, rate) * rate)
	return fixmath.Exp(-float64(rate*t)) + float64(waits*float64(fixmath.Exp(-float64(slow*t))*later))
}

// Attained is P(T <= deadlineS); 0 where the load is not below the capacity.
func Attained(c int, load, rate, deadlineS float64) float64 {
	if !(load < float64(float64(c)*rate)) {
		return 0
	}
	return min(1, max(0, 1-Tail(c, load, rate, deadlineS)))
}
