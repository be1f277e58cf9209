package fairshare

import (
	"math"

	"tarry/internal/fixmath"
)

// Decay states how usage fades. The zero value keeps it for ever.
type Decay struct {
	// HalfS is the half-life in seconds; 0 = usage does not fade.
	HalfS float64
	// Exact: by the integral. Else as Slurm's program computes it: the factor of a second is 1 -
	// 0.693/HalfS, and what is used in an interval counts as if all of it was used at its begin.
	Exact bool
}

// Keeps is what is left after so many seconds of a unit of usage, from 0 to 1.
func (d Decay) Keeps(seconds float64) float64 {
	switch {
	case d.HalfS == 0:
		return 1
	case d.Exact:
		return fixmath.Exp(-seconds / d.HalfS * math.Ln2)
	}
	return fixmath.Pow(1-0.693/d.HalfS, seconds)
}

// Accrues is the decayed usage, at its end, of an interval of so many seconds in which one unit is
// used per second.
func (d Decay) Accrues(seconds float64) float64 {
	switch {
	case d.HalfS == 0:
		return seconds
	case d.Exact:
		return float64(-fixmath.Expm1(-seconds/d.HalfS*math.Ln2)*d.HalfS) / math.Ln2
	}
	return float64(seconds * d.Keeps(seconds))
}

// Repeats is the decayed usage, at their end, of n intervals of so many seconds each.
func (d Decay) Repeats(seconds float64, n int64) float64 {
	keeps, one := d.Keeps(seconds), d.Accrues(seconds)
	if keeps == 1 {
		return float64(one * float64(n))
	}
	return float64(one*(1-fixmath.Pow(keeps, float64(n)))) / (1 - keeps)
}
