package nn

import (
	"gorgonia.org/gorgonia"

	"tarry/internal/fixmath"
	"tarry/internal/matrix"
	"tarry/internal/vector"
)

// linear is no activation at all.
const linear Activation = -1

// layer is one layer of a network in a tape, in one operation: act(x w + b + c), where c, if there
// is one, is a node whose rows are repeated group times each. Rows that are not in the set are not
// to be read, or 0 in a bare layer.
type layer struct {
	x, c     Node
	act      Activation
	group    int
	set      *rowSet
	bare     bool // the result is read without the set
	in, cols int
}

// layer adds a layer to the tape. The sums equal Gorgonia's own products and sums, in their
// order.
func (t *Tape) layer(l layer, d dense) Node {
	if l.x.cols != d.w.Rows || l.x.cols == 0 {
		t.fail("product of shapes (%d,%d) and (%d,%d)", l.x.rows, l.x.cols, d.w.Rows, d.w.Cols)
	}
	l.in, l.cols, l.group = d.w.Rows, d.w.Cols, max(1, l.group)
	in := []Node{l.x, t.Param(d.w), t.Param(d.b)}
	if l.c.rows > 0 {
		if l.c.rows*l.group != l.x.rows || l.c.cols != l.cols {
			t.fail("sum of shapes (%d,%d) and %d times (%d,%d), expected equal shapes", l.x.rows, l.cols, l.group,
				l.c.rows, l.c.cols)
		}
		in = append(in, l.c)
	}
	o := &matrixOp{rows: l.x.rows, cols: l.cols, run: l.forward}
	o.back = func(in gorgonia.Nodes, out, grad *gorgonia.Node) (gorgonia.Nodes, error) {
		return l.gradients(o, in, out, grad)
	}
	return t.matrix("layer", o, in...)
}

// forward computes the layer of x, w, b and perhaps c.
func (l *layer) forward(out []float64, in [][]float64) {
	n := l.cols
	if l.bare {
		l.set.reset(out)
	}
	product(out, in[0], in[1], l.x.rows, l.in, n, l.set)
	l.set.runs(l.x.rows, func(from, to int) {
		y := out[from*n : to*n]
		vector.AddRows(y, in[2])
		if len(in) > 3 {
			groups(from, to, l.group, func(k, from, to int) { vector.AddRows(out[from*n:to*n], in[3][k*n:(k+1)*n]) })
		}
		switch l.act {
		case Tanh:
			fixmath.TanhAll(y, y)
		case Relu:
			vector.Relu(y) // -0 below 0, as in a product with the comparison
		}
	})
}

// groups calls f for the part of each group of size rows, number k, that lies between two rows.
func groups(from, to, size int, f func(k, from, to int)) {
	for from < to {
		k := from / size
		end := min(to, (k+1)*size)
		f(k, from, end)
		from = end
	}
}

// gradients are those by x, w, b and c.
func (l *layer) gradients(o *matrixOp, in gorgonia.Nodes, out, grad *gorgonia.Node) (all gorgonia.Nodes, err error) {
	rows, n, whole := l.x.rows, l.cols, len(o.room)
	g := grad
	if l.act != linear {
		if g, err = o.gradient("bend", rows, n, []int{whole, whole}, l.unbend, out, grad); err != nil {
			return nil, err
		}
	}
	all = make(gorgonia.Nodes, len(in))
	for i := range in {
		if !o.wanted[i] {
			continue
		}
		switch i {
		case 0:
			all[i], err = o.gradient("x", rows, l.in, []int{whole, o.sizes[1]}, func(out []float64, in [][]float64) {
				productLeft(out, in[0], in[1], rows, l.in, n, l.set)
			}, g, in[1])
		case 1:
			all[i], err = o.summed("w", l.in, n, []int{o.sizes[0], whole}, func(out []float64, in [][]float64) {
				productRight(out, in[0], in[1], rows, l.in, n, l.set)
			}, in[0], g)
		case 2:
			all[i], err = o.summed("b", 1, n, []int{whole}, func(out []float64,
				in [][]float64) {
				l.sum(out, in[0], rows)
			}, g)
		case 3:
			all[i], err = o.gradient("c", rows/l.group, n, []int{whole},
				func(out []float64, in [][]float64) { l.sum(out, in[0], l.group) }, g)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// unbend is the gradient before the activation, from the result and the gradient after it.
func (l *layer) unbend(out []float64, in [][]float64) {
	l.set.runs(l.x.rows, func(from, to int) {
		from, to = from*l.cols, to*l.cols
		if l.act == Tanh {
			vector.TanhSlope(out[from:to], in[0][from:to], in[1][from:to])
		} else {
			vector.ReluSlope(out[from:to], in[0][from:to], in[1][from:to])
		}
	})
}

// sum adds up each group of size rows that follow one another.
func (l *layer) sum(out, x []float64, size int) {
	clear(out)
	n := l.cols
	l.set.runs(l.x.rows, func(from, to int) {
		groups(from, to, size, func(k, from, to int) { vector.SumRows(out[k*n:(k+1)*n], x[from*n:to*n]) })
	})
}

// average is the sum over each group of size rows, each row weighted by its share.
func (t *Tape) average(x Node, share []float64, size int, set *rowSet) Node {
	n := x.cols
	o := &matrixOp{rows: x.rows / size, cols: n, run: func(out []float64, in [][]float64) {
		clear(out)
		set.runs(x.rows, func(from, to int) {
			groups(from, to, size, func(k, from, to int) {
				matrix.Add(out[k*n:], share[from:to], in[0][from*n:], 1, to-from, n)
			})
		})
	}}
	o.back = func(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
		g, err := o.gradient("x", x.rows, n, []int{len(o.room)}, func(out []float64, in [][]float64) {
			set.runs(x.rows, func(from, to int) {
				for row := from; row < to; row++ {
					src := in[0][row/size*n:]
					for j := range n {
						out[row*n+j] = float64(share[row] * src[j])
					}
				}
			})
		}, grad)
		return gorgonia.Nodes{g}, err
	}
	return t.matrix("average", o, x)
}

// MatMul is the matrix product.
func (t *Tape) MatMul(a, b Node) Node {
	if a.cols != b.rows || b.cols == 0 {
		t.fail("product of shapes (%d,%d) and (%d,%d)", a.rows, a.cols, b.rows, b.cols)
	}
	rows, in, cols := a.rows, a.cols, b.cols
	o := &matrixOp{rows: rows, cols: cols, run: func(out []float64,
		x [][]float64) {
		product(out, x[0], x[1], rows, in, cols, nil)
	}}
	o.back = func(x gorgonia.Nodes, _, grad *gorgonia.Node) (all gorgonia.Nodes, err error) {
		all = make(gorgonia.Nodes, 2)
		if o.wanted[0] {
			all[0], err = o.summed("a", rows, in, []int{rows * cols, in * cols}, func(out []float64, x [][]float64) {
				productLeft(out, x[0], x[1], rows, in, cols, nil)
			}, grad, x[1])
		}
		if err == nil && o.wanted[1] {
			all[1], err = o.summed("b", in, cols, []int{rows * in, rows * cols}, func(out []float64, x [][]float64) {
				productRight(out, x[0], x[1], rows, in, cols, nil)
			}, x[0], grad)
		}
		return all, err
	}
	return t.matrix("product", o, a, b)
}
