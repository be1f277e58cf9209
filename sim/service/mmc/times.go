package mmc

import (
	"math"
	"sort"
)

// MeanWaitS is the mean wait in seconds; +Inf where the load is not below the capacity.
func MeanWaitS(c int, load, rate float64) float64 {
	over := float64(float64(c)*rate) - load
	if over <= 0 {
		return math.Inf(1)
	}
	return Wait(c, load, rate) / over
}

// QuantileS is the time within which a part p, below 1, of the requests is answered, in seconds, to
// the last bits; +Inf where the load is not below the capacity.
func QuantileS(c int, load, rate, p float64) float64 {
	if load >= float64(float64(c)*rate) {
		return math.Inf(1)
	}
	lo, hi := 0.0, 1/rate
	for Tail(c, load, rate, hi) > 1-p {
		lo, hi = hi, 2*hi
	}
	for {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			return hi
		}
		if Tail(c, load, rate, mid) > 1-p {
			lo = mid
		} else {
			hi = mid
		}
	}
}

// Least is the fewest servers, at most some number, with P(T <= deadlineS) >= target; -1 where no
// number reaches it. More servers never attain less, so that a binary search finds it.
func Least(load, rate, deadlineS, target float64, most int) int {
	if n := sort.Search(most, func(k int) bool { return Attained(k+1, load, rate, deadlineS) >= target }); n < most {
		return n + 1
	}
	return -1
}

// MG1WaitS is the mean wait of one server with any law of service of a mean and a squared coefficient
// of variation (Pollaczek and Khinchine); +Inf in overload.
func MG1WaitS(load, meanS, cv2 float64) float64 {
	rho := float64(load * meanS)
	if rho >= 1 {
		return math.Inf(1)
	}
	return float64(float64(load*meanS)*meanS) * (1 + cv2) / (2 * (1 - rho))
}

// AllenCunneenWaitS is an approximation of the mean wait of c servers with arrivals and service of
// squared coefficients of variation ca2 and cs2; exact for M/M/c, and for M/G/1.
func AllenCunneenWaitS(c int, load, meanS, ca2, cs2 float64) float64 {
	return MeanWaitS(c, load, 1/meanS) * (ca2 + cs2) / 2
}
