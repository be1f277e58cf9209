package nn

import (
	"tarry/internal/fixmath"
	"tarry/internal/matrix"
)

// addProduct adds x w to dst.
func addProduct(dst, x []float64, w *Param) {
	matrix.Add(dst, x, w.W, 1, w.Rows, w.Cols)
}

// activate applies the function in place.
func activate(x []float64, a Activation) {
	if a == Relu {
		for i, v := range x {
			x[i] = max(v, 0)
		}
		return
	}
	fixmath.TanhAll(x, x)
}
