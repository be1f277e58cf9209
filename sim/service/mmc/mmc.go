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

// Tail is P(T > t), T being the time from a request's arrival to its answer, in seconds.
func Tail(c int, load, rate, t float64) float64 {
	w, th := Wait(c, load, rate), float64(float64(c)*rate)-load
	switch {
	case t <= 0 || th <= 0:
		return 1
	case math.Abs(th-rate) <= 1e-9*rate:
		return float64((1 - w + float64(w*(1+float64(rate*t)))) * fixmath.Exp(-float64(rate*t)))
	}
	return float64((1-w)*fixmath.Exp(-float64(rate*t))) +
		float64(w*(float64(th*fixmath.Exp(-float64(rate*t)))-float64(rate*fixmath.Exp(-float64(th*t)))))/(th-rate)
}

// Attained is P(T <= deadlineS); 0 where the load is not below the capacity.
func Attained(c int, load, rate, deadlineS float64) float64 {
	if !(load < float64(float64(c)*rate)) {
		return 0
	}
	return min(1, max(0, 1-Tail(c, load, rate, deadlineS)))
}
