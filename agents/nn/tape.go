package nn

import (
	"fmt"
	"sync"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Tape describes a loss for one batch size as a graph. Its methods add operations; the
// first fault is kept and returned by Compile, so that a loss reads like a formula.
// Nodes are matrices with a row per sample, vectors with an entry per sample, or scalars.
type Tape struct {
	batch  int
	g      *gorgonia.ExprGraph
	err    error
	names  map[string]bool
	params []*Param
	nodes  map[*Param]Node
	ones   map[int]Node
	fixed  map[*gorgonia.Node]bool // inputs and frozen weights: no gradient by them is computed
	ops    int                     // how many operations of our own there are
	seen   gorgonia.Nodes          // what Watch reads

	inputs    map[*gorgonia.Node][]float64 // the numbers of inputs and weights
	constants map[*gorgonia.Node]bool      // inputs that never change
}

// Node is a value in a Tape.
type Node struct {
	n          *gorgonia.Node
	rows, cols int // cols 0: a vector; rows 0 too: a scalar
}

// NewTape starts a graph for batches of exactly batch samples.
func NewTape(batch int) *Tape {
	t := &Tape{batch: batch, g: gorgonia.NewGraph(), names: map[string]bool{}, nodes: map[*Param]Node{},
		ones:  map[int]Node{},
		fixed: map[*gorgonia.Node]bool{}, inputs: map[*gorgonia.Node][]float64{}, constants: map[*gorgonia.Node]bool{}}
	if batch < 1 {
		t.fail("batch size is %d, expected at least 1", batch)
	}
	return t
}

// Batch is the number of samples.
func (t *Tape) Batch() int { return t.batch }

// fail keeps the first fault.
func (t *Tape) fail(format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf("graph: "+format, args...)
	}
}

// claim takes a name. Gorgonia merges two inputs of one name silently, so every name
// may be used once.
func (t *Tape) claim(name string) {
	if name == "" {
		t.fail("an input has no name, expected a unique one")
	}
	if t.names[name] {
		t.fail("two inputs are called %q, expected unique names", name)
	}
	t.names[name] = true
}

// leaf makes a node over the caller's slice.
func (t *Tape) leaf(name string, rows, cols int, backing []float64) Node {
	t.claim(name)
	if t.err != nil {
		return Node{rows: rows, cols: cols}
	}
	var n *gorgonia.Node
	if cols == 0 {
		v := tensor.New(tensor.WithShape(rows), tensor.WithBacking(backing))
		n = gorgonia.NewVector(t.g, tensor.Float64, gorgonia.WithShape(rows), gorgonia.WithName(name),
			gorgonia.WithValue(v))
	} else {
		v := tensor.New(tensor.WithShape(rows, cols), tensor.WithBacking(backing))
		n = gorgonia.NewMatrix(t.g, tensor.Float64, gorgonia.WithShape(rows, cols), gorgonia.WithName(name),
			gorgonia.WithValue(v))
	}
	t.inputs[n] = backing
	return Node{n, rows, cols}
}

// Matrix adds an input of any shape and returns the slice to fill before each run.
func (t *Tape) Matrix(name string, rows, cols int) (Node, []float64) {
	data := make([]float64, rows*cols)
	n := t.leaf(name, rows, cols, data)
	t.fixed[n.n] = true
	return n, data
}

// Constant is a Matrix whose numbers are given once: set writes them.
func (t *Tape) Constant(name string, rows, cols int, set func(data []float64)) Node {
	n, data := t.Matrix(name, rows, cols)
	t.constants[n.n] = true
	set(data)
	return n
}

// Vector adds an input with one number per sample and returns the slice to fill.
func (t *Tape) Vector(name string) (Node, []float64) {
	data := make([]float64, t.batch)
	return t.leaf(name, t.batch, 0, data), data
}

// Param adds weights; the same weights always give the same node.
func (t *Tape) Param(p *Param) Node {
	n, ok := t.nodes[p]
	if !ok {
		n = t.leaf(p.Name, p.Rows, p.Cols, p.W)
		t.nodes[p] = n
		t.params = append(t.params, p)
	}
	return n
}

// onesColumn is a column of ones.
func (t *Tape) onesColumn(rows int) Node {
	n, ok := t.ones[rows]
	if !ok {
		n = t.Constant(fmt.Sprintf("ones/%d", rows), rows, 1, func(data []float64) {
			for i := range data {
				data[i] = 1
			}
		})
		t.ones[rows] = n
	}
	return n
}

// building guards the constants of Gorgonia, which all graphs share: a graph that uses one first
// writes its hash into it.
var building sync.Mutex

func alone(op func() (*gorgonia.Node, error)) (*gorgonia.Node, error) {
	building.Lock()
	defer building.Unlock()
	return op()
}

// add makes the node of one operation.
func (t *Tape) add(what string, rows, cols int, op func() (*gorgonia.Node, error)) Node {
	out := Node{rows: rows, cols: cols}
	if t.err != nil {
		return out
	}
	n, err := alone(op)
	if err != nil {
		t.fail("%s: %v", what, err)
		return out
	}
	out.n = n
	return out
}

func (t *Tape) unary(what string, x Node, op func(*gorgonia.Node) (*gorgonia.Node, error)) Node {
	return t.add(what, x.rows, x.cols, func() (*gorgonia.Node, error) { return op(x.n) })
}

func (t *Tape) binary(what string, a, b Node, op func(a, b *gorgonia.Node) (*gorgonia.Node, error)) Node {
	if a.rows != b.rows || a.cols != b.cols {
		t.fail("%s of shapes (%d,%d) and (%d,%d), expected equal shapes", what, a.rows, a.cols, b.rows, b.cols)
	}
	return t.add(what, a.rows, a.cols, func() (*gorgonia.Node, error) { return op(a.n, b.n) })
}
