package fixmath

import "math"

const (
	ln2High = 0.69314718055966295651160180568695068359375
	ln2Low  = 0.28235290563031577122588448175013436025525412068e-12

	// overflow is the largest x whose exponential is finite, underflow one whose exponential is 0.
	overflow  = 7.09782712893384e+02
	underflow = -746
)

// Exp is e to the power of x; 0 for x below -745.2, +Inf above 709.78, NaN for NaN. The error is
// below two units in the last place.
//
// Shibata, "Efficient evaluation methods of elementary functions suitable for SIMD computation"
// (2010): with x = k ln 2 + 16 r, a Taylor series gives e^r - 1, and four doublings y(y+2) give
// e^(16 r) - 1.
func Exp(x float64) float64 {
	switch {
	case x > overflow:
		return math.Inf(1)
	case x < underflow:
		return 0
	case x != x:
		return x
	}
	k := math.RoundToEven(x * math.Log2E)
	r := math.FMA(-k, ln2Low, math.FMA(-k, ln2High, x)) * 0.0625
	p := math.FMA(2.4801587301587301587e-5, r, 1.9841269841269841270e-4)
	p = math.FMA(p, r, 1.3888888888888888889e-3)
	p = math.FMA(p, r, 8.3333333333333333333e-3)
	p = math.FMA(p, r, 4.1666666666666666667e-2)
	p = math.FMA(p, r, 1.6666666666666666667e-1)
	p = math.FMA(p, r, 0.5)
	p = math.FMA(p, r, 1)
	y := float64(p * r)
	y = float64(y * float64(y+2))
	y = float64(y * float64(y+2))
	y = float64(y * float64(y+2))
	y = math.FMA(y, y+2, 1)
	if k > -1022 && k < 1024 {
		return y * math.Float64frombits(uint64(int64(k)+1023)<<52)
	}
	return math.Ldexp(y, int(k))
}
