package fixmath

import "math"

// Tanh is the hyperbolic tangent of x. The error is below two units in the last place.
//
// Moshier's Cephes library: a rational approximation near 0, 1 - 2/(e^2x + 1) elsewhere.
func Tanh(x float64) float64 {
	const one = 4.4014845965556527147e+01 // from here on the result is 1
	z := math.Abs(x)
	switch {
	case z > one:
		return math.Copysign(1, x)
	case z >= 0.625:
		return math.Copysign(1-2/(Exp(2*z)+1), x)
	case x == 0 || x != x:
		return x
	}
	s := float64(x * x)
	p := float64(-9.64399179425052238628e-1*s) - 9.92877231001918586564e1
	p = float64(p*s) - 1.61468768441708447952e3
	q := s + 1.12811678491632931402e2
	q = float64(q*s) + 2.23548839060100448583e3
	q = float64(q*s) + 4.84406305325125486048e3
	return x + float64(float64(x*s)*p)/q
}
