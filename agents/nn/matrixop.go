package nn

import (
	"fmt"
	"hash"
	"hash/fnv"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// matrixOp is an operation on matrices and vectors that belongs to one node of one graph. It keeps
// the room for its result, and states which of its inputs a gradient is wanted for: Gorgonia
// computes gradients of constants too.
type matrixOp struct {
	name       string // unique in its graph
	rows, cols int    // of the result; cols 0 is a vector
	sizes      []int  // how many numbers each input has
	wanted     []bool // gradients
	room       []float64
	whole      bool // the result is never -0: sums that begin at 0
	run        func(out []float64, in [][]float64)
	// back gives the gradient by each input; nil where none is wanted.
	back func(in gorgonia.Nodes, out, grad *gorgonia.Node) (gorgonia.Nodes, error)
}

// matrix adds a matrixOp to the tape.
func (t *Tape) matrix(what string, o *matrixOp, in ...Node) Node {
	t.ops++
	o.name = fmt.Sprintf("tarry/%s/%d", what, t.ops)
	return t.add(what, o.rows, o.cols, func() (*gorgonia.Node, error) {
		o.room = make([]float64, o.rows*max(o.cols, 1))
		nodes := make([]*gorgonia.Node, len(in))
		for i, x := range in {
			nodes[i] = x.n
			o.sizes = append(o.sizes, x.rows*max(x.cols, 1))
			o.wanted = append(o.wanted, !t.fixed[x.n])
		}
		return gorgonia.ApplyOp(o, nodes...)
	})
}

// gradient is the node of a matrixOp in a gradient; the inputs have sizes numbers each.
func (o *matrixOp) gradient(what string, rows, cols int, sizes []int, run func(out []float64, in [][]float64),
	in ...*gorgonia.Node) (*gorgonia.Node, error) {
	b := &matrixOp{name: o.name + "/" + what, rows: rows, cols: cols, sizes: sizes, wanted: make([]bool, len(in)),
		run: run}
	b.room = make([]float64, rows*max(cols, 1))
	return gorgonia.ApplyOp(b, in...)
}

// summed is a gradient whose numbers are sums that begin at 0: it may be written to where the
// gradient of a weight goes.
func (o *matrixOp) summed(what string, rows, cols int, sizes []int, run func(out []float64, in [][]float64),
	in ...*gorgonia.Node) (*gorgonia.Node, error) {
	n, err := o.gradient(what, rows, cols, sizes, run, in...)
	if err == nil {
		b, _ := n.Op().(*matrixOp)
		b.whole = true
	}
	return n, err
}

// Do implements gorgonia.Op.
func (o *matrixOp) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	if len(in) != len(o.sizes) {
		return nil, fmt.Errorf("%s: %d inputs, expected %d", o, len(in), len(o.sizes))
	}
	var few [4][]float64
	data := few[:0]
	for i, v := range in {
		d, ok := v.Data().([]float64)
		if !ok || len(d) != o.sizes[i] {
			return nil, fmt.Errorf("%s: input %d of shape %v and type %T, expected a matrix of %d numbers", o, i,
				v.Shape(), v.Data(), o.sizes[i])
		}
		data = append(data, d)
	}
	o.run(o.room, data)
	// A tensor of its own each time: Gorgonia may write something else of another shape into one
	// that it is done with.
	return tensor.New(tensor.WithShape(o.shape()...), tensor.WithBacking(o.room)), nil
}

// SymDiff implements gorgonia.SDOp.
func (o *matrixOp) SymDiff(in gorgonia.Nodes, out, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	if o.back == nil {
		return nil, fmt.Errorf("%s has no gradient", o)
	}
	return o.back(in, out, grad)
}

// DiffWRT implements gorgonia.SDOp.
func (o *matrixOp) DiffWRT(int) []bool { return o.wanted }

// Arity implements gorgonia.Op, as the methods below do.
func (o *matrixOp) Arity() int { return len(o.sizes) }

// Type states that all inputs and the output are of one kind, matrices or vectors.
func (o *matrixOp) Type() hm.Type {
	a := hm.TypeVariable('a')
	types := make([]hm.Type, len(o.sizes)+1)
	for i := range types {
		types[i] = a
	}
	return hm.NewFnType(types...)
}

// InferShape is known from the start.
func (o *matrixOp) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) {
	return o.shape(), nil
}

func (o *matrixOp) shape() tensor.Shape {
	if o.cols == 0 {
		return tensor.Shape{o.rows}
	}
	return tensor.Shape{o.rows, o.cols}
}

// ReturnsPtr: the output is memory of its own.
func (o *matrixOp) ReturnsPtr() bool { return false }

// CallsExtern: plain Go.
func (o *matrixOp) CallsExtern() bool { return false }

// OverwritesInput: none.
func (o *matrixOp) OverwritesInput() int { return -1 }

// WriteHash distinguishes operations: no two are merged.
func (o *matrixOp) WriteHash(h hash.Hash) { fmt.Fprint(h, o.name) }

// Hashcode returns the hash of what WriteHash writes.
func (o *matrixOp) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

func (o *matrixOp) String() string { return o.name }
