package nn

import (
	"fmt"
	"hash"
	"hash/fnv"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"tarry/internal/fixmath"
)

// LogSoftmax turns each row's logits into log-probabilities.
//
// It is an operation of our own because Gorgonia's operation (tensor 0.9.24) takes each
// row's maximum together with the first number of the whole matrix and without the first
// of the row: with masked logits that overflows, and the loss is NaN.
func (t *Tape) LogSoftmax(x Node) Node {
	if x.cols == 0 {
		t.fail("log-soft-max of a vector, expected a matrix")
	}
	return t.unary("log-soft-max", x, func(n *gorgonia.Node) (*gorgonia.Node, error) {
		return gorgonia.ApplyOp(rowOp{kind: logSoftmax}, n)
	})
}

// rowKind states what a rowOp computes.
type rowKind int

const (
	logSoftmax     rowKind = iota
	logSoftmaxGrad         // from log-probabilities p and the gradient g: g - exp(p) sum(g)
)

// rowOp is an operation on whole rows of matrices.
type rowOp struct{ kind rowKind }

// Do implements gorgonia.Op.
func (o rowOp) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	if len(in) != o.Arity() {
		return nil, fmt.Errorf("%s: %d inputs, expected %d", o, len(in), o.Arity())
	}
	data, shape := make([][]float64, len(in)), in[0].Shape()
	for i, v := range in {
		d, ok := v.Data().([]float64)
		if !ok || shape.Dims() != 2 || !shape.Eq(v.Shape()) {
			return nil, fmt.Errorf("%s: input of shape %v and type %T, expected a matrix of numbers", o, v.Shape(),
				v.Data())
		}
		data[i] = d
	}
	out := make([]float64, shape[0]*shape[1])
	o.compute(out, data, shape[1])
	return tensor.New(tensor.WithShape(shape[0], shape[1]), tensor.WithBacking(out)), nil
}

// compute fills out from matrices of n columns.
func (o rowOp) compute(out []float64, in [][]float64, n int) {
	switch o.kind {
	case logSoftmax:
		copy(out, in[0])
		for at := 0; at < len(out); at += n {
			LogSoftmax(out[at:at+n], nil)
		}
	case logSoftmaxGrad:
		fixmath.ExpAll(out, in[0])
		for at := 0; at < len(out); at += n {
			sum := 0.0
			for _, g := range in[1][at : at+n] {
				sum += g
			}
			for i := at; i < at+n; i++ {
				out[i] = in[1][i] - float64(out[i]*sum)
			}
		}
	}
}

// SymDiff implements gorgonia.SDOp.
func (o rowOp) SymDiff(_ gorgonia.Nodes, output, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	if o.kind != logSoftmax {
		return nil, fmt.Errorf("%s has no gradient", o)
	}
	n, err := gorgonia.ApplyOp(rowOp{logSoftmaxGrad}, output, grad)
	return gorgonia.Nodes{n}, err
}

// DiffWRT implements gorgonia.SDOp.
func (o rowOp) DiffWRT(inputs int) []bool {
	d := make([]bool, inputs)
	d[0] = o.kind != logSoftmaxGrad
	return d
}

// Arity implements gorgonia.Op, as the methods below do.
func (o rowOp) Arity() int {
	if o.kind == logSoftmaxGrad {
		return 2
	}
	return 1
}

// Type states that all inputs and the output are matrices.
func (o rowOp) Type() hm.Type {
	a := hm.TypeVariable('a')
	if o.Arity() == 2 {
		return hm.NewFnType(a, a, a)
	}
	return hm.NewFnType(a, a)
}

// InferShape returns the shape of the first input.
func (o rowOp) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	s, ok := in[0].(tensor.Shape)
	if !ok || s.Dims() != 2 {
		return nil, fmt.Errorf("%s: the input is no matrix", o)
	}
	return tensor.Shape{s[0], s[1]}, nil
}

// ReturnsPtr: the output is memory of its own.
func (o rowOp) ReturnsPtr() bool { return false }

// CallsExtern: plain Go.
func (o rowOp) CallsExtern() bool { return false }

// OverwritesInput: none.
func (o rowOp) OverwritesInput() int { return -1 }

// WriteHash distinguishes operations; equal ones on equal nodes are merged.
func (o rowOp) WriteHash(h hash.Hash) { fmt.Fprint(h, o.String()) }

// Hashcode returns the hash of what WriteHash writes.
func (o rowOp) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

func (o rowOp) String() string { return fmt.Sprintf("tarry/rows/%d", o.kind) }
