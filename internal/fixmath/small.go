package fixmath

import "math"

// Log1p is the logarithm of 1+x for x > -1, exact to a few units in the last place near 0 too.
//
// Kahan: the rounding of u = 1+x cancels in log(u)/(u-1).
func Log1p(x float64) float64 {
	u := 1 + x
	if u == 1 || math.IsInf(u, 1) {
		return x
	}
	return math.Log(u) * (x / (u - 1))
}

// Expm1 is e^x - 1, exact to a few units in the last place near 0 too, by Kahan's method.
func Expm1(x float64) float64 {
	u := Exp(x)
	if u == 1 || math.IsInf(u, 1) || math.Abs(x) > 40 {
		if u == 1 {
			return x
		}
		return u - 1
	}
	return (u - 1) * (x / math.Log(u))
}

// Atanh is the inverse of Tanh, for x between -1 and 1.
func Atanh(x float64) float64 {
	z := math.Abs(x)
	return math.Copysign(0.5*Log1p(2*z/(1-z)), x)
}
