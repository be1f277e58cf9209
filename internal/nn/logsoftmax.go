package nn

import (
	"fmt"
	"hash"
	"hash/fnv"
	"math"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// LogSoftmax turns each row's logits into log-probabilities.
//
// It is an operation of our own because the one of Gorgonia (tensor 0.9.24) takes each
// row's maximum together with the first number of the whole matrix and without the first
// of the row: with masked logits that overflows, and the loss is NaN.
func (t *Tape) LogSoftmax(x Node) Node {
	if x.cols == 0 {
		t.fail("log-soft-max of a vector, expected a matrix")
	}
	return t.unary("log-soft-max", x, func(n *gorgonia.Node) (*gorgonia.Node, error) {
		return gorgonia.ApplyOp(rowOp{name: "logSoftmax", arity: 1, do: logSoftmaxRow}, n)
	})
}

// rowOp is an operation on the rows of matrices of one shape.
type rowOp struct {
	name  string
	arity int
	do    func(dst []float64, rows [][]float64)
}

// logSoftmaxRow writes the log-probabilities of rows[0].
func logSoftmaxRow(dst []float64, rows [][]float64) {
	copy(dst, rows[0])
	LogSoftmax(dst, nil)
}

// logSoftmaxGrad writes g - p sum(g): rows are log-probabilities and their gradient g.
func logSoftmaxGrad(dst []float64, rows [][]float64) {
	sum := 0.0
	for _, g := range rows[1] {
		sum += g
	}
	for i, g := range rows[1] {
		dst[i] = g - float64(math.Exp(rows[0][i])*sum)
	}
}

// Do implements gorgonia.Op.
func (o rowOp) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	if len(in) != o.arity {
		return nil, fmt.Errorf("%s: %d inputs, expected %d", o.name, len(in), o.arity)
	}
	data, rows := make([][]float64, o.arity), make([][]float64, o.arity)
	shape := in[0].Shape()
	for i, v := range in {
		d, ok := v.Data().([]float64)
		if !ok || shape.Dims() != 2 || !shape.Eq(v.Shape()) {
			return nil, fmt.Errorf("%s: input of shape %v and type %T, expected a matrix of numbers", o.name, v.Shape(), v.Data())
		}
		data[i] = d
	}
	out := make([]float64, len(data[0]))
	for at, n := 0, shape[1]; at < len(out); at += n {
		for i, d := range data {
			rows[i] = d[at : at+n]
		}
		o.do(out[at:at+n], rows)
	}
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(out)), nil
}

// DiffWRT implements gorgonia.SDOp.
func (o rowOp) DiffWRT(inputs int) []bool {
	d := make([]bool, inputs)
	d[0] = o.arity == 1
	return d
}

// SymDiff implements gorgonia.SDOp.
func (o rowOp) SymDiff(_ gorgonia.Nodes, output, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	n, err := gorgonia.ApplyOp(rowOp{name: "logSoftmaxGrad", arity: 2, do: logSoftmaxGrad}, output, grad)
	return gorgonia.Nodes{n}, err
}

// Arity implements gorgonia.Op, as the methods below do.
func (o rowOp) Arity() int { return o.arity }

// Type says that all inputs and the output are alike.
func (o rowOp) Type() hm.Type {
	a := hm.TypeVariable('a')
	if o.arity == 2 {
		return hm.NewFnType(a, a, a)
	}
	return hm.NewFnType(a, a)
}

// InferShape gives the shape of the first input.
func (o rowOp) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	s, ok := in[0].(tensor.Shape)
	if !ok {
		return nil, fmt.Errorf("%s: input has no shape", o.name)
	}
	return s.Clone(), nil
}

// ReturnsPtr: the output is memory of its own.
func (o rowOp) ReturnsPtr() bool { return false }

// CallsExtern: plain Go.
func (o rowOp) CallsExtern() bool { return false }

// OverwritesInput: none.
func (o rowOp) OverwritesInput() int { return -1 }

// WriteHash tells one operation from another.
func (o rowOp) WriteHash(h hash.Hash) { fmt.Fprintf(h, "tarry/%s", o.name) }

// Hashcode is that of WriteHash.
func (o rowOp) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

func (o rowOp) String() string { return o.name }
