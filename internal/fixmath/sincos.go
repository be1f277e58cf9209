package fixmath

import "math"

// Sincos is the sine and the cosine of x, an angle of at most 2^29 in either direction: larger ones
// are left to package math.
//
// Moshier's Cephes library: x less a multiple of pi/4, taken off in three parts, and a polynomial
// for each.
func Sincos(x float64) (sin, cos float64) {
	const (
		first  = 7.85398125648498535156e-1
		second = 3.77489470793079817668e-8
		third  = 2.69515142907905952645e-15
	)
	z := math.Abs(x)
	if !(z < 1<<29) || z == 0 {
		return math.Sincos(x)
	}
	j := uint64(z * (4 / math.Pi))
	j += j & 1
	y := float64(j)
	z = ((z - float64(y*first)) - float64(y*second)) - float64(y*third)
	zz := float64(z * z)
	s := sum(zz, 1.58962301576546568060e-10, -2.50507477628578072866e-8, 2.75573136213857245213e-6,
		-1.98412698295895385996e-4, 8.33333333332211858878e-3, -1.66666666666666307295e-1)
	c := sum(zz, -1.13585365213876817300e-11, 2.08757008419747316778e-9, -2.75573141792967388112e-7,
		2.48015872888517045348e-5, -1.38888888888730564116e-3, 4.16666666666665929218e-2)
	s = z + float64(float64(z*zz)*s)
	c = 1 - float64(0.5*zz) + float64(float64(zz*zz)*c)
	if j&2 != 0 {
		s, c = c, s
	}
	if j&4 != 0 {
		s = -s
	}
	if j&7 == 2 || j&7 == 4 {
		c = -c
	}
	if x < 0 {
		s = -s
	}
	return s, c
}

// sum is the polynomial in x with these factors, the highest power first.
func sum(x, a, b, c, d, e, f float64) float64 {
	y := float64(a*x) + b
	y = float64(y*x) + c
	y = float64(y*x) + d
	y = float64(y*x) + e
	return float64(y*x) + f
}

// Sin is the sine of x: see Sincos.
func Sin(x float64) float64 {
	s, _ := Sincos(x)
	return s
}

// Cos is the cosine of x: see Sincos.
func Cos(x float64) float64 {
	_, c := Sincos(x)
	return c
}
