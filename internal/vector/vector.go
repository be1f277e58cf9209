package vector

import "math"

// whole is how many of n numbers the assembly takes: all but up to three, or none.
func whole(n int) int {
	if !vector {
		return 0
	}
	return n &^ 3
}

// AddRows adds the row b to every row of y.
func AddRows(y, b []float64) {
	n := len(b)
	if n == 0 || len(y) == 0 {
		return
	}
	few, rows := whole(n), len(y)/n
	if few > 0 {
		addRows(rows, few, n, &y[0], &b[0])
	}
	if few == n {
		return
	}
	for i := range rows {
		y := y[i*n+few : (i+1)*n]
		for j, v := range b[few:] {
			y[j] += v
		}
	}
}

// SumRows adds every row of x, one after the other, to the row dst.
func SumRows(dst, x []float64) {
	n := len(dst)
	if n == 0 || len(x) == 0 {
		return
	}
	few, rows := whole(n), len(x)/n
	if few > 0 {
		sumRows(rows, few, n, &dst[0], &x[0])
	}
	if few == n {
		return
	}
	dst = dst[few:]
	for i := range rows {
		for j, v := range x[i*n+few : (i+1)*n] {
			dst[j] += v
		}
	}
}

// Relu keeps what is at least 0 and makes the rest -0, as a product with the truth of the
// comparison does.
func Relu(y []float64) {
	few := whole(len(y))
	if few > 0 {
		relu(few, &y[0])
	}
	for i := few; i < len(y); i++ {
		if v := y[i]; !(v >= 0) {
			y[i] = v * 0
		}
	}
}

// Rectify makes every number below 0, and -0, to 0.
func Rectify(y []float64) {
	few := whole(len(y))
	if few > 0 {
		rectify(few, &y[0])
	}
	for i := few; i < len(y); i++ {
		y[i] = max(y[i], 0)
	}
}

// ReluSlope sets dst to g, times 0 where y, a result of Relu, is -0.
func ReluSlope(dst, y, g []float64) {
	y, g = y[:len(dst)], g[:len(dst)]
	few := whole(len(dst))
	if few > 0 {
		reluSlope(few, &dst[0], &y[0], &g[0])
	}
	for i := few; i < len(dst); i++ {
		if dst[i] = g[i]; math.Signbit(y[i]) {
			dst[i] = g[i] * 0
		}
	}
}

// TanhSlope sets dst to g (1 - y²), for y a hyperbolic tangent.
func TanhSlope(dst, y, g []float64) {
	y, g = y[:len(dst)], g[:len(dst)]
	few := whole(len(dst))
	if few > 0 {
		tanhSlope(few, &dst[0], &y[0], &g[0])
	}
	for i := few; i < len(dst); i++ {
		dst[i] = (1 - float64(y[i]*y[i])) * g[i]
	}
}

// Scale multiplies every number of x by f.
func Scale(x []float64, f float64) {
	few := whole(len(x))
	if few > 0 {
		scale(few, &x[0], f)
	}
	for i := few; i < len(x); i++ {
		x[i] *= f
	}
}

// Blend moves every number of dst towards src's by the fraction tau.
func Blend(dst, src []float64, tau float64) {
	src = src[:len(dst)]
	few := whole(len(dst))
	if few > 0 {
		blend(few, &dst[0], &src[0], tau)
	}
	for i := few; i < len(dst); i++ {
		dst[i] += float64(tau * (src[i] - dst[i]))
	}
}
