package nn

import "tarry/internal/matrix"

// block is how many terms of a scalar product are added up on their own when the result has
// manyBlocks squares of that edge or more: the order of the sums of gonum's products, which were
// used once, is kept.
const block, manyBlocks = 64, 4

func blocks(n int) int { return (n + block - 1) / block }

// rowSet states which rows of a matrix count: a candidate that is no choice would add exact zeros
// to every sum, which are not worth computing. What the other rows hold is old, and never read,
// except for the rows of a layer that is read without the set (layer.bare): these are held at zero.
// nil = all rows count.
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

// reset clears what will not be set: all rows that do not count.
func (s *rowSet) reset(out []float64) {
	if s != nil {
		clear(out)
	}
}

// product sets out to x w, for x with rows rows and w of in by cols.
func product(out, x, w []float64, rows, in, cols int, set *rowSet) {
	set.runs(rows, func(from, to int) { matrix.Product(out[from*cols:], x[from*in:], w, to-from, in, cols) })
}

// productLeft sets out to g wᵀ, the gradient of a product by its left factor.
func productLeft(out, g, w []float64, rows, in, cols int, set *rowSet) {
	step := cols
	if blocks(rows)*blocks(in) >= manyBlocks {
		step = block
	}
	set.runs(rows, func(from, to int) { matrix.Left(out[from*in:], g[from*cols:], w, to-from, cols, in, step) })
}

// productRight sets out to xᵀ g, the gradient of a product by its right factor.
func productRight(out, x, g []float64, rows, in, cols int, set *rowSet) {
	clear(out)
	set.runs(rows, func(from, to int) { matrix.AddRight(out, x[from*in:], g[from*cols:], in, to-from, cols) })
}
