package nn

import (
	"tarry/internal/fixmath"
	"tarry/internal/matrix"
	"tarry/internal/vector"
)

// addProduct adds x w to dst.
func addProduct(dst, x []float64, w *Param) {
	matrix.Add(dst, x, w.W, 1, w.Rows, w.Cols)
}

// activate applies the function in place.
func activate(x []float64, a Activation) {
	if a == Relu {
		vector.Rectify(x)
		return
	}
	fixmath.TanhAll(x, x)
}
