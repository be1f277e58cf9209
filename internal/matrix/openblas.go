//go:build openblas

package matrix

// #cgo LDFLAGS: -lopenblas
// void cblas_dgemm(int order, int transA, int transB, int m, int n, int k, double alpha, const
// double *a, int lda,
//   const double *b, int ldb, double beta, double *c, int ldc);
// void openblas_set_num_threads(int threads);
import "C"

import (
	"math"
	"unsafe"
)

// Arithmetic names how this build computes products.
const Arithmetic = "openblas"

// leastStep is the least part of a sum of Left that is added up on its own: the library has an
// order of its own.
const leastStep = math.MaxInt

// vector states that this build has the assembly of exact products.
const vector = false

// The values of CBLAS.
const rowMajor, notTransposed, transposed = 101, 111, 112

// A learner has one processor, and the order of sums may depend on how many the library uses.
var _ = oneThread()

func oneThread() struct{} {
	C.openblas_set_num_threads(1)
	return struct{}{}
}

func panels(c, a, b []float64, m, k, n, rowA, stepA int, add bool) {
	order, lda := C.int(transposed), stepA
	if stepA == 1 && rowA >= k {
		order, lda = notTransposed, rowA
	}
	dgemm(c, a, b, m, k, n, order, lda, notTransposed, n, add)
}

func lefts(c, a, b []float64, m, n, ld, from, k int, add bool) {
	dgemm(c, a[from:], b[from:], m, k, n, notTransposed, ld, transposed, ld, add)
}

func dgemm(c, a, b []float64, m, k, n int, transA C.int, lda int, transB C.int, ldb int, add bool) {
	if m == 0 || n == 0 {
		return
	}
	beta := 0.0
	if add {
		beta = 1
	}
	if k == 0 {
		if !add {
			clear(c[:m*n])
		}
		return
	}
	pointer := func(x []float64) *C.double { return (*C.double)(unsafe.Pointer(unsafe.SliceData(x))) }
	C.cblas_dgemm(rowMajor, transA, transB, C.int(m), C.int(n), C.int(k), 1, pointer(a), C.int(lda), pointer(b),
		C.int(ldb), C.double(beta), pointer(c), C.int(n))
}
