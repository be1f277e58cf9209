package nn

import (
	"gorgonia.org/gorgonia"

	"tarry/internal/fixmath"
)

// Exp is e to the x.
//
// This and the next two are operations of our own because Gorgonia's call math.Exp, whose last bit
// depends on the processor: see fixmath.
func (t *Tape) Exp(x Node) Node {
	return t.curve("exp", x, fixmath.ExpAll, func(_, y float64) float64 { return y })
}

// Tanh is the hyperbolic tangent.
func (t *Tape) Tanh(x Node) Node {
	return t.curve("tanh", x, fixmath.TanhAll, func(_, y float64) float64 { return 1 - float64(y*y) })
}

// Softplus is log(1 + exp(x)).
func (t *Tape) Softplus(x Node) Node {
	return t.curve("softplus", x, func(dst, src []float64) {
		for i, x := range src {
			switch {
			case x < -708:
				dst[i] = 0
			case x > 16:
				dst[i] = x
			default:
				dst[i] = fixmath.Log1p(fixmath.Exp(x))
			}
		}
	}, func(x, _ float64) float64 {
		switch {
		case x < -709:
			return 0
		case x > 19:
			return 1
		}
		return 1 / (1 + fixmath.Exp(-x))
	})
}

// curve applies f to every number; slope is its derivative from x and f(x).
func (t *Tape) curve(what string, x Node, f func(dst, src []float64), slope func(x, y float64) float64) Node {
	size := x.rows * max(x.cols, 1)
	o := &matrixOp{rows: x.rows, cols: x.cols, run: func(out []float64, in [][]float64) { f(out, in[0]) }}
	o.back = func(in gorgonia.Nodes, out, grad *gorgonia.Node) (gorgonia.Nodes, error) {
		if !o.wanted[0] {
			return gorgonia.Nodes{nil}, nil
		}
		g, err := o.gradient("x", x.rows, x.cols, []int{size, size, size}, func(dst []float64, in [][]float64) {
			for i, g := range in[2] {
				dst[i] = slope(in[0][i], in[1][i]) * g
			}
		}, in[0], out, grad)
		return gorgonia.Nodes{g}, err
	}
	return t.matrix(what, o, x)
}
