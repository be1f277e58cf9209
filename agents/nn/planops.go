package nn

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// theirs plans an operation of Gorgonia's own: the operations that Tape and gorgonia.Grad make, and
// no others. Each number is computed as Gorgonia does, sums from the first to the last.
func (b *planner) theirs(n *gorgonia.Node, in []result) (result, error) {
	op, size := n.Op(), n.Shape().TotalSize()
	r := result{fixed: true}
	for _, x := range in {
		r.fixed = r.fixed && x.fixed
	}
	switch k := kind(op); {
	case k == "constantScalar" && len(in) == 0:
		v, ok := n.Value().Data().(float64)
		if !ok {
			return r, fmt.Errorf("a constant of type %T", n.Value().Data())
		}
		r.data = []float64{v}
		return r, nil
	case k == "reshapeOp" && len(in) == 1 && len(in[0].data) == size:
		r.data = in[0].data
		return r, nil
	case len(in) == 1:
		r.data = make([]float64, size)
		if step := unaryStep(k, op, r.data, in[0], n.Shape()); step != nil {
			return b.add(r, step), nil
		}
	case len(in) == 2:
		r.data = make([]float64, size)
		if step := binaryStep(op.String(), r.data, in[0].data, in[1].data); step != nil {
			return b.add(r, step), nil
		}
	}
	return r, fmt.Errorf("operation %s (%T) of %d inputs is not one that a plan has", op, op, len(in))
}

// unaryStep is nil for an operation that is not known.
func unaryStep(kind string, op gorgonia.Op, out []float64, in result, to tensor.Shape) func() {
	x := in.data
	switch name := op.String(); {
	case kind == "elemUnaryOp" && name == "neg" && len(x) == len(out):
		return func() {
			for i, v := range x {
				out[i] = -v
			}
		}
	case kind == "elemUnaryOp" && name == "square" && len(x) == len(out):
		return func() {
			for i, v := range x {
				out[i] = float64(v * v)
			}
		}
	case kind == "sumOp":
		return sumStep(name, out, x, in.shape)
	case kind == "repeatOp":
		var axis int
		if _, err := fmt.Sscanf(name, "Repeat%d", &axis); err == nil {
			return repeatStep(axis, out, x, in.shape, to)
		}
	}
	return nil
}

// sumStep sums along the axes that the operation's name lists: all numbers, the numbers of each
// row, or of each column.
func sumStep(name string, out, x []float64, from tensor.Shape) func() {
	dims := from.Dims()
	switch {
	case len(out) == 1 && (name == "Σ[0]" && dims == 1 || name == "Σ[0 1]" && dims == 2):
		return func() { out[0] = total(x) }
	case name == "Σ[1]" && dims == 2 && len(out) == from[0]:
		n := from[1]
		return func() {
			for i := range out {
				out[i] = total(x[i*n : (i+1)*n])
			}
		}
	case name == "Σ[0]" && dims == 2 && len(out) == from[1]:
		return func() {
			copy(out, x)
			for at := len(out); at < len(x); at += len(out) {
				for j, v := range x[at : at+len(out)] {
					out[j] += v
				}
			}
		}
	}
	return nil
}

func total(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum
}

// repeatStep repeats each number along an axis as often as the shape of the result states.
func repeatStep(axis int, out, x []float64, from, to tensor.Shape) func() {
	along, inner := 1, 1
	if axis < from.Dims() {
		along = from[axis]
		for _, d := range from[axis+1:] {
			inner *= d
		}
	}
	if axis >= to.Dims() || to[axis]%along != 0 || len(x)*(to[axis]/along) != len(out) {
		return nil
	}
	times := to[axis] / along
	if inner == 1 {
		return func() {
			for i, v := range x {
				part := out[i*times : (i+1)*times]
				for j := range part {
					part[j] = v
				}
			}
		}
	}
	return func() {
		for i := range len(x) / inner {
			for k := range times {
				copy(out[(i*times+k)*inner:], x[i*inner:(i+1)*inner])
			}
		}
	}
}

// binaryStep is nil for an operation that is not known; one of its inputs may be a single number.
func binaryStep(name string, out, a, b []float64) func() {
	if len(a) == 1 && len(b) == len(out) && len(out) > 1 {
		return scalarStep(name, out, a, b, true)
	}
	if len(b) == 1 && len(a) == len(out) && len(out) > 1 {
		return scalarStep(name, out, b, a, false)
	}
	if len(a) != len(out) || len(b) != len(out) {
		return nil
	}
	switch name {
	case "+ false":
		return func() {
			b, out := b[:len(a)], out[:len(a)]
			for i, v := range a {
				out[i] = v + b[i]
			}
		}
	case "- false":
		return func() {
			b, out := b[:len(a)], out[:len(a)]
			for i, v := range a {
				out[i] = v - b[i]
			}
		}
	case "⊙ false":
		return func() {
			b, out := b[:len(a)], out[:len(a)]
			for i, v := range a {
				out[i] = float64(v * b[i])
			}
		}
	case "== true":
		return func() {
			for i, v := range a {
				out[i] = truth(v == b[i])
			}
		}
	case ">= true":
		return func() {
			for i, v := range a {
				out[i] = truth(v >= b[i])
			}
		}
	case "MinBetween":
		return func() {
			for i, v := range a {
				out[i] = v
				if b[i] < v {
					out[i] = b[i]
				}
			}
		}
	case "MaxBetween":
		return func() {
			for i, v := range a {
				out[i] = v
				if b[i] > v {
					out[i] = b[i]
				}
			}
		}
	}
	return nil
}

// scalarStep is a binary operation of a single number s with each of x.
func scalarStep(name string, out, s, x []float64, left bool) func() {
	switch {
	case name == "+ false":
		return func() {
			c := s[0]
			for i, v := range x {
				out[i] = v + c
			}
		}
	case name == "⊙ false":
		return func() {
			c := s[0]
			for i, v := range x {
				out[i] = float64(v * c)
			}
		}
	case name == "- false" && left:
		return func() {
			c := s[0]
			for i, v := range x {
				out[i] = c - v
			}
		}
	case name == "- false":
		return func() {
			c := s[0]
			for i, v := range x {
				out[i] = v - c
			}
		}
	case name == ">= true" && !left:
		return func() {
			c := s[0]
			for i, v := range x {
				out[i] = truth(v >= c)
			}
		}
	}
	return nil
}

// truth is 1 or 0.
func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
