package nn

import (
	"tarry/internal/fixmath"
	"tarry/internal/matrix"
	"tarry/internal/vector"
)

// addProducts adds x w to dst, for rows of x: the terms of each sum one after the other.
func addProducts(dst, x []float64, w *Param, rows int) {
	matrix.Add(dst[:rows*w.Cols], x[:rows*w.Rows], w.W, rows, w.Rows, w.Cols)
}

// activate applies the function in place.
func activate(x []float64, a Activation) {
	if a == Relu {
		vector.Rectify(x)
		return
	}
	fixmath.TanhAll(x, x)
}
