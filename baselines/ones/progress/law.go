package progress

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// Left is a draw of (1-p)/p where p is Beta(a, b), a and b > 0: what is left of a job over what is
// done.
func Left(r *rng.Stream, a, b float64) float64 {
	done := gamma(r, a)
	return gamma(r, b) / done
}

// Expected is the mean of (1-p)/p, infinite where a <= 1.
func Expected(a, b float64) float64 {
	if a <= 1 {
		return math.Inf(1)
	}
	return b / (a - 1)
}

// gamma draws a gamma variate of a shape > 0 by the method of Marsaglia and Tsang, "A simple method
// for generating gamma variables", ACM TOMS 26(3), 2000.
func gamma(r *rng.Stream, shape float64) float64 {
	if shape < 1 {
		u := r.Float64()
		return gamma(r, shape+1) * fixmath.Pow(1-u, 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(v*v) * v
		u := 1 - r.Float64()
		if math.Log(u) < float64(0.5*x*x)+float64(d*(1-v+math.Log(v))) {
			return d * v
		}
	}
}

// slope is the derivative by b of the logarithm of the Beta density.
func slope(p, a, b float64) float64 { return math.Log(1-p) + digamma(a+b) - digamma(b) }

// digamma is the derivative of the logarithm of the gamma function, for x > 0: by its recurrence up
// to 6, then by its asymptotic series.
func digamma(x float64) float64 {
	sum := 0.0
	for x < 6 {
		sum -= 1 / x
		x++
	}
	i := 1 / float64(x*x)
	tail := float64(i * (1.0/12 - float64(i*(1.0/120-float64(i*(1.0/252-float64(i*(1.0/240-float64(i*(1.0/132))))))))))
	return sum + math.Log(x) - 0.5/x - tail
}
