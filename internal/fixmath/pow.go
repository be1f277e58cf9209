package fixmath

import "math"

// Pow is x to the power of y, with the special cases of math.Pow. A whole y costs its binary
// logarithm in products; the fraction of another one, taken to [-1/2, 1/2], goes through Exp and
// the logarithm.
func Pow(x, y float64) float64 {
	if y == 0.5 || y == -0.5 || !(x > 0) || math.IsInf(x, 1) || !(math.Abs(y) < 1<<52) {
		return rest(x, y)
	}
	whole, fraction := math.Modf(math.Abs(y))
	if fraction > 0.5 {
		fraction--
		whole++
	}
	power := 1.0
	if fraction != 0 {
		power = Exp(fraction * math.Log(x))
	}
	exponent := 0
	base, e := math.Frexp(x)
	for i := int64(whole); i != 0; i >>= 1 {
		if e < -1<<12 || e > 1<<12 { // the result is 0 or infinite already
			exponent += e
			break
		}
		if i&1 == 1 {
			power = float64(power * base)
			exponent += e
		}
		base = float64(base * base)
		e <<= 1
		if base < 0.5 {
			base += base
			e--
		}
	}
	if y < 0 {
		power, exponent = 1/power, -exponent
	}
	return math.Ldexp(power, exponent)
}

// rest is Pow where no product is rounded more than once or the result equals the same power of -x.
func rest(x, y float64) float64 {
	if x < 0 && !math.IsInf(x, -1) && math.Abs(y) < 1<<52 && y == math.Trunc(y) {
		if math.Mod(y, 2) == 0 {
			return Pow(-x, y)
		}
		return -Pow(-x, y)
	}
	return math.Pow(x, y)
}
