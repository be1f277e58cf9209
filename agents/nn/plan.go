package nn

import (
	"fmt"
	"strings"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// plan is what a Machine runs: the operations that its results need, each a plain function over
// memory of its own, in an order in which every input is there before it is read. It gives the bits
// of Gorgonia's own machine (Reference), without its goroutine, its maps and its garbage: a run
// allocates nothing.
type plan struct {
	steps []func()
	lands []landing
}

// landing is where the gradient of a weight goes.
type landing struct{ to, from []float64 }

// run computes everything anew, but for what follows from constants alone.
func (p *plan) run() {
	for _, step := range p.steps {
		step()
	}
	for _, l := range p.lands {
		for i, v := range l.from {
			l.to[i] = 0 + v // as Gorgonia adds it to zeros: there is no -0
		}
	}
}

// planner turns a graph into a plan.
type planner struct {
	tape *Tape
	plan *plan
	done map[*gorgonia.Node]result
	land map[*gorgonia.Node][]float64 // where the result of an operation may go at once
}

// result is where the numbers of a node are.
type result struct {
	data  []float64
	shape tensor.Shape
	fixed bool // follows from constants alone
}

// newPlan plans what the nodes need; gradients are the gradients of the tape's weights.
func newPlan(t *Tape, gradients gorgonia.Nodes) (*planner, error) {
	b := &planner{tape: t, plan: &plan{}, done: map[*gorgonia.Node]result{}, land: map[*gorgonia.Node][]float64{}}
	for i, n := range gradients {
		if _, ok := b.land[n]; !ok {
			b.land[n] = t.params[i].Grad
		}
	}
	for i, n := range gradients {
		p := t.params[i]
		r, err := b.need(n)
		if err != nil {
			return nil, err
		}
		if len(r.data) != len(p.Grad) {
			return nil, fmt.Errorf("gradient of %s has %d numbers, expected %d", p.Name, len(r.data), len(p.Grad))
		}
		if &r.data[0] != &p.Grad[0] {
			b.plan.lands = append(b.plan.lands, landing{p.Grad, r.data})
		}
	}
	return b, nil
}

// need plans a node after its inputs.
func (b *planner) need(n *gorgonia.Node) (result, error) {
	if r, ok := b.done[n]; ok {
		return r, nil
	}
	var in []result
	for children := b.tape.g.From(n.ID()); children.Next(); {
		child, ok := children.Node().(*gorgonia.Node)
		if !ok {
			return result{}, fmt.Errorf("%v has an input that is no node", n)
		}
		if isSize(child.Op()) { // a size that shapes have anyway
			continue
		}
		r, err := b.need(child)
		if err != nil {
			return result{}, err
		}
		in = append(in, r)
	}
	r, err := b.node(n, in)
	if err != nil {
		return result{}, fmt.Errorf("%v: %w", n, err)
	}
	r.shape = n.Shape()
	b.done[n] = r
	return r, nil
}

// node plans one node over what its inputs gave.
func (b *planner) node(n *gorgonia.Node, in []result) (result, error) {
	switch op := n.Op().(type) {
	case nil:
		data, ok := b.tape.inputs[n]
		if !ok {
			return result{}, fmt.Errorf("no input of the tape")
		}
		return result{data: data, fixed: b.tape.constants[n]}, nil
	case *matrixOp:
		return b.matrix(n, op, in)
	case rowOp:
		out, data, cols := make([]float64, n.Shape().TotalSize()), inputs(in), n.Shape()[1]
		return b.add(result{data: out}, func() { op.compute(out, data, cols) }), nil
	default:
		return b.theirs(n, in)
	}
}

// matrix plans an operation of our own, which has its room already; a gradient goes where it is
// wanted.
func (b *planner) matrix(n *gorgonia.Node, o *matrixOp, in []result) (result, error) {
	if len(in) != len(o.sizes) {
		return result{}, fmt.Errorf("%d inputs, expected %d", len(in), len(o.sizes))
	}
	for i, r := range in {
		if len(r.data) != o.sizes[i] {
			return result{}, fmt.Errorf("input %d has %d numbers, expected %d", i, len(r.data), o.sizes[i])
		}
	}
	if to := b.land[n]; o.whole && len(to) == len(o.room) {
		o.room = to
	}
	data := inputs(in)
	return b.add(result{data: o.room}, func() { o.run(o.room, data) }), nil
}

// add appends a step; one over constants alone is made once and for all.
func (b *planner) add(r result, step func()) result {
	if r.fixed {
		step()
	} else {
		b.plan.steps = append(b.plan.steps, step)
	}
	return r
}

func inputs(in []result) [][]float64 {
	data := make([][]float64, len(in))
	for i, r := range in {
		data[i] = r.data
	}
	return data
}

// kind is Gorgonia's name of the type of an operation, which it does not export.
func kind(op gorgonia.Op) string {
	return strings.TrimPrefix(strings.TrimPrefix(fmt.Sprintf("%T", op), "*"), "gorgonia.")
}

func isSize(op gorgonia.Op) bool { return op != nil && kind(op) == "sizeOp" }
