package nn

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Affine is x w + b, the bias added to every row.
func (t *Tape) Affine(x Node, w, b *Param) Node {
	return t.layer(layer{x: x, act: linear}, dense{w, b})
}

// Spread repeats a matrix of one row for every sample.
func (t *Tape) Spread(row Node) Node { return t.MatMul(t.onesColumn(t.batch), row) }

// Add is a + b, entry by entry.
func (t *Tape) Add(a, b Node) Node { return t.binary("sum", a, b, gorgonia.Add) }

// Sub is a - b, entry by entry.
func (t *Tape) Sub(a, b Node) Node { return t.binary("difference", a, b, gorgonia.Sub) }

// Mul is the product entry by entry.
func (t *Tape) Mul(a, b Node) Node { return t.binary("product", a, b, gorgonia.HadamardProd) }

// Min is the smaller of the two, entry by entry.
func (t *Tape) Min(a, b Node) Node { return t.binary("minimum", a, b, gorgonia.MinBetween) }

// Max is the larger of the two, entry by entry.
func (t *Tape) Max(a, b Node) Node { return t.binary("maximum", a, b, gorgonia.MaxBetween) }

// Clamp keeps x between two nodes of its shape.
func (t *Tape) Clamp(x, low, high Node) Node { return t.Min(t.Max(x, low), high) }

// Relu is max(x, 0).
func (t *Tape) Relu(x Node) Node { return t.unary("relu", x, gorgonia.Rectify) }

// Square is x times x.
func (t *Tape) Square(x Node) Node { return t.unary("square", x, gorgonia.Square) }

// Neg is -x.
func (t *Tape) Neg(x Node) Node { return t.unary("negation", x, gorgonia.Neg) }

// Scale is c x.
func (t *Tape) Scale(x Node, c float64) Node {
	return t.unary("scale", x, func(n *gorgonia.Node) (*gorgonia.Node, error) {
		return gorgonia.Mul(n, gorgonia.NewConstant(c))
	})
}

// AddConst is x + c.
func (t *Tape) AddConst(x Node, c float64) Node {
	return t.unary("shift", x, func(n *gorgonia.Node) (*gorgonia.Node, error) {
		return gorgonia.Add(n, gorgonia.NewConstant(c))
	})
}

// SumRows sums each row of a matrix: a vector.
func (t *Tape) SumRows(x Node) Node {
	if x.cols == 0 {
		t.fail("sum of the rows of a vector, expected a matrix")
	}
	return t.add("sum of rows", x.rows, 0, func() (*gorgonia.Node, error) { return gorgonia.Sum(x.n, 1) })
}

// Sum sums a vector: a scalar.
func (t *Tape) Sum(x Node) Node {
	if x.cols != 0 {
		t.fail("sum of a matrix, expected a vector")
	}
	return t.add("sum", 0, 0, func() (*gorgonia.Node, error) { return gorgonia.Sum(x.n) })
}

// Reshape reads the same numbers in another shape; cols 0 gives a vector. It must not be
// used on weights: Gorgonia accumulates the gradient of a reshaped parameter wrongly.
func (t *Tape) Reshape(x Node, rows, cols int) Node {
	if x.rows*max(x.cols, 1) != rows*max(cols, 1) {
		t.fail("reshape of (%d,%d) to (%d,%d)", x.rows, x.cols, rows, cols)
	}
	shape := tensor.Shape{rows, cols}
	if cols == 0 {
		shape = tensor.Shape{rows}
	}
	return t.add("reshape", rows, cols, func() (*gorgonia.Node, error) { return gorgonia.Reshape(x.n, shape) })
}

// Columns is a matrix of zeros and ones: a product with it picks the columns first to
// first+count-1 of a matrix with total columns.
func (t *Tape) Columns(first, count, total int) Node {
	return t.Constant(fmt.Sprintf("columns/%d+%d of %d", first, count, total), total, count, func(data []float64) {
		for i := range count {
			data[(first+i)*count+i] = 1
		}
	})
}
