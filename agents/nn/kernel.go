package nn

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// block is the edge of the blocks of gonum's matrix product, manyBlocks how many of them in a result make it
// start goroutines and add a long scalar product up in pieces of block numbers.
const block, manyBlocks = 64, 4

func blocks(n int) int { return (n + block - 1) / block }

// gemm adds the product of a, m by k, and b, k by n, to c. The order of each sum is that of one call of Dgemm, but
// the parts are small enough that it starts no goroutines: they cost more than they save here.
func gemm(ta, tb blas.Transpose, m, n, k int, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	wide := n
	if blocks(n) >= manyBlocks {
		wide = block
	}
	for i := 0; i < m; i += block {
		first := i * lda
		if ta == blas.Trans {
			first = i
		}
		for j := 0; j < n; j += wide {
			from := j
			if tb == blas.Trans {
				from = j * ldb
			}
			gonum.Implementation{}.Dgemm(ta, tb, min(block, m-i), min(wide, n-j), k, 1, a[first:], lda, b[from:], ldb, 1, c[i*ldc+j:], ldc)
		}
	}
}

// rowSet says which rows of a matrix count. Those that do not are held at zero, and so are their gradients: a
// candidate that is no choice adds exact zeros to every sum, which are not worth computing. nil = all rows count.
type rowSet struct{ on []bool }

// runs calls f for each stretch of rows that count, in order.
func (s *rowSet) runs(rows int, f func(from, to int)) {
	if s == nil {
		f(0, rows)
		return
	}
	for from := 0; from < rows; {
		if !s.on[from] {
			from++
			continue
		}
		to := from + 1
		for to < rows && s.on[to] {
			to++
		}
		f(from, to)
		from = to
	}
}

// product sets out to x w, for x with rows rows and w of in by cols.
func product(out, x, w []float64, rows, in, cols int, set *rowSet) {
	clear(out)
	set.runs(rows, func(from, to int) {
		gemm(blas.NoTrans, blas.NoTrans, to-from, cols, in, x[from*in:], in, w, cols, out[from*cols:], cols)
	})
}

// productLeft sets out to g wᵀ, the gradient of a product by its left factor.
func productLeft(out, g, w []float64, rows, in, cols int, set *rowSet) {
	clear(out)
	step := cols
	if blocks(rows)*blocks(in) >= manyBlocks { // as one call would
		step = block
	}
	set.runs(rows, func(from, to int) {
		for k := 0; k < cols; k += step {
			gemm(blas.NoTrans, blas.Trans, to-from, in, min(step, cols-k), g[from*cols+k:], cols, w[k:], cols, out[from*in:], in)
		}
	})
}

// productRight sets out to xᵀ g, the gradient of a product by its right factor.
func productRight(out, x, g []float64, rows, in, cols int, set *rowSet) {
	clear(out)
	set.runs(rows, func(from, to int) {
		gemm(blas.Trans, blas.NoTrans, in, cols, to-from, x[from*in:], in, g[from*cols:], cols, out, cols)
	})
}
