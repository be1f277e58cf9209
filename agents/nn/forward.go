package nn

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"tarry/internal/fixmath"
)

// addProduct adds x w to dst.
func addProduct(dst, x []float64, w *Param) {
	gonum.Implementation{}.Dgemv(blas.Trans, w.Rows, w.Cols, 1, w.W, w.Cols, x, 1, 1, dst, 1)
}

// activate applies the function in place.
func activate(x []float64, a Activation) {
	if a == Relu {
		for i, v := range x {
			x[i] = max(v, 0)
		}
		return
	}
	for i, v := range x {
		x[i] = fixmath.Tanh(v)
	}
}
