package fixmath

import "math"

// NormalCDF is the probability that a standard normal number is below z. The relative error is
// below 1e-13.
//
// Abramowitz and Stegun, Handbook of Mathematical Functions: the series 26.2.11 near 0, the
// continued fraction 26.2.14 in the tails.
func NormalCDF(z float64) float64 {
	switch {
	case z != z:
		return z
	case z < -2:
		return upper(-z)
	case z > 2:
		return 1 - upper(z)
	}
	square, term, sum := float64(z*z), z, z
	for n := 3.0; math.Abs(term) > 1e-18*math.Abs(sum); n += 2 {
		term = float64(term*square) / n
		sum += term
	}
	return 0.5 + float64(density(z)*sum)
}

// upper is the probability of more than z > 2.
func upper(z float64) float64 {
	if z > 39 {
		return 0
	}
	fraction := 0.0
	for n := 10 + math.Floor(450/float64(z*z)); n > 0; n-- {
		fraction = n / (z + fraction)
	}
	return density(z) / (z + fraction)
}

func density(z float64) float64 { return Exp(-0.5*float64(z*z)) / math.Sqrt(2*math.Pi) }

// NormalQuantile is the z whose NormalCDF is p; -Inf for 0, +Inf for 1, NaN outside [0, 1].
func NormalQuantile(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	case p == 0.5:
		return 0
	case p > 0.5:
		return -NormalQuantile(1 - p) // exact: p is above 1/2
	}
	lo, hi := -40.0, 0.0
	for {
		mid := lo + (hi-lo)/2 // exact
		if mid <= lo || mid >= hi {
			return hi
		}
		if NormalCDF(mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
}
