package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gorgonia.org/gorgonia"
)

// theirs builds what a layer computes out of Gorgonia's own operations.
type theirs struct{ *Tape }

func (t theirs) product(a, b Node) Node {
	return t.add("product", a.rows, b.cols, func() (*gorgonia.Node, error) { return gorgonia.Mul(a.n, b.n) })
}

// repeated is a matrix of zeros and ones that repeats each of n rows size times.
func (t theirs) repeated(n, size int) Node {
	m, data := t.Matrix(fmt.Sprintf("repeated/%d", t.ops), n*size, n)
	t.ops++
	for i := range n * size {
		data[i*n+i/size] = 1
	}
	return m
}

func (t theirs) layer(l layer, d dense) Node {
	y := t.Add(t.product(l.x, t.Param(d.w)), t.product(t.onesColumn(l.x.rows), t.Param(d.b)))
	if l.c.rows > 0 {
		y = t.Add(y, t.product(t.repeated(l.c.rows, l.group), l.c))
	}
	switch l.act {
	case Tanh:
		return t.Tanh(y)
	case Relu:
		return t.Relu(y)
	}
	return y
}

// twinCase is two layers over groups of rows, the second with the first one's averages in it.
type twinCase struct {
	groups, size, in, hidden, out int
	act                           Activation
	sparse, frozen                bool
}

// twin is what both ways of computing it read.
type twin struct {
	twinCase
	first, second    dense
	w                *Param
	x, weight, share []float64
	set              *rowSet
}

func newTwin(c twinCase) *twin {
	r := rand.New(rand.NewPCG(1, 2))
	rows := c.groups * c.size
	w := &twin{twinCase: c, first: newDense("first", c.in, c.hidden, 1, r),
		second: newDense("second", c.hidden, c.out, 1, r),
		w:      NewParam("context", c.hidden, c.out), set: &rowSet{make([]bool, rows)}, share: make([]float64, rows)}
	Orthogonal(w.w, 1, r)
	fill := func(n int, on func(i int) bool) []float64 {
		x := make([]float64, n)
		for i := range x {
			if on(i) {
				x[i] = r.NormFloat64()
			}
		}
		return x
	}
	all := func(int) bool { return true }
	copy(w.first.b.W, fill(c.hidden, all))
	copy(w.second.b.W, fill(c.out, all))
	for row := range rows {
		w.set.on[row] = !c.sparse || r.IntN(3) == 0
		if w.set.on[row] {
			w.share[row] = r.Float64()
		}
	}
	w.x = fill(rows*c.in, all)
	w.weight = fill(rows*c.out, func(i int) bool { return w.set.on[i/c.out] })
	return w
}

// ours and parts are the network by layers and by Gorgonia's operations.
func (w *twin) ours(t *Tape, in Node) Node {
	e := t.layer(layer{x: in, act: w.act, set: w.set}, w.first)
	mean := t.MatMul(t.average(e, w.share, w.size, w.set), t.Param(w.w))
	return t.layer(layer{x: e, c: mean, group: w.size, act: w.act, set: w.set, bare: true}, w.second)
}

func (w *twin) parts(t *Tape, in Node) Node {
	old := theirs{t}
	e := old.layer(layer{x: in, act: w.act}, w.first)
	part, data := t.Matrix("average", w.groups, in.rows)
	for i, v := range w.share {
		data[i/w.size*in.rows+i] = v
	}
	mean := old.product(old.product(part, e), t.Param(w.w))
	return old.layer(layer{x: e, c: mean, group: w.size, act: w.act}, w.second)
}

// run gives the loss and all gradients.
func (w *twin) run(t *testing.T, net func(*Tape, Node) Node) []float64 {
	rows := w.groups * w.size
	tape := NewTape(rows)
	if w.frozen {
		tape.Freeze([]*Param{w.second.w, w.second.b})
	}
	in, data := tape.Matrix("x", rows, w.in)
	copy(data, w.x)
	weight, data := tape.Matrix("weight", rows, w.out)
	copy(data, w.weight)
	// Gorgonia's own products are not in the vocabulary of plans.
	if _, err := tape.derive(tape.Sum(tape.SumRows(tape.Mul(net(tape, in), weight)))); err != nil {
		t.Fatal(err)
	}
	m, err := tape.reference()
	if err != nil {
		t.Fatal(err)
	}
	var all []float64
	for range 2 { // the second run meets what the first one left
		loss, err := m.Run()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, loss)
		for _, g := range m.Gradients {
			all = append(all, g...)
		}
	}
	return all
}

// Layers and averages give the very bits of Gorgonia's products and sums, and so do their
// gradients, also where a product is large enough to be cut up, and where unread rows are left out.
func TestLayerIsTheSumOfItsParts(t *testing.T) {
	for _, c := range []twinCase{
		{1, 1, 1, 1, 1, linear, false, false},
		{1, 3, 2, 5, 1, Tanh, true, false},
		{7, 4, 5, 9, 3, Relu, false, false},
		{9, 16, 11, 64, 1, Tanh, true, false},
		{43, 3, 70, 65, 66, Tanh, false, false},
		{43, 3, 66, 70, 130, Relu, false, true},
		{30, 9, 3, 200, 260, Tanh, true, false},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			w := newTwin(c)
			want := w.run(t, w.parts)
			for i, v := range w.run(t, w.ours) {
				if math.Float64bits(v) != math.Float64bits(want[i]) {
					t.Fatalf("number %d of %d is %v, expected %v", i, len(want), v, want[i])
				}
			}
		})
	}
}

// A layer states which shapes do not fit.
func TestLayerFaults(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := newDense("d", 3, 2, 1, r)
	for _, c := range []struct {
		want  string
		build func(t *Tape) Node
	}{
		{"graph: product of shapes (4,2) and (3,2)", func(t *Tape) Node {
			x, _ := t.Matrix("x", 4, 2)
			return t.layer(layer{x: x}, d)
		}},
		{"graph: sum of shapes (4,2) and 2 times (3,2), expected equal shapes", func(t *Tape) Node {
			x, _ := t.Matrix("x", 4, 3)
			y, _ := t.Matrix("y", 3, 2)
			return t.layer(layer{x: x, c: y, group: 2}, d)
		}},
	} {
		tape := NewTape(4)
		if _, err := tape.Compile(tape.Sum(tape.SumRows(c.build(tape)))); err == nil || err.Error() != c.want {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
}
