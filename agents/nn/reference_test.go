package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
)

// holdToReference compares two runs of a machine with Gorgonia's, bit by bit.
func holdToReference(t *testing.T, m *Machine) {
	t.Helper()
	r, err := m.Reference()
	if err != nil {
		t.Fatal(err)
	}
	for run := range 2 {
		want, err := r.Run()
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Run()
		if err != nil {
			t.Fatal(err)
		}
		if math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("run %d: loss is %v, expected %v", run, got, want)
		}
		for k, p := range r.Params {
			for i, g := range p.Grad {
				if math.Float64bits(g) != math.Float64bits(r.Gradients[k][i]) {
					t.Fatalf("run %d: gradient of %s[%d] is %v, expected %v", run, p.Name, i, g, r.Gradients[k][i])
				}
			}
		}
	}
	if n := testing.AllocsPerRun(3, func() { _, err = m.Run() }); n != 0 || err != nil {
		t.Fatalf("a run allocates %g times, error %v", n, err)
	}
}

// scattered draws numbers of which some are 0 and some -0.
func scattered(x []float64, r *rand.Rand) {
	fill(x, r)
	for i := range x {
		switch r.IntN(8) {
		case 0:
			x[i] = 0
		case 1:
			x[i] = math.Copysign(0, -1)
		}
	}
}

// random is a graph of random operations over matrices of the same shape.
type random struct {
	*Tape
	r     *rand.Rand
	n     int
	nodes []Node
	fills [][]float64
}

func (g *random) pick() Node { return g.nodes[g.r.IntN(len(g.nodes))] }

func (g *random) input(rows, cols int) Node {
	g.n++
	x, data := g.Matrix(fmt.Sprint("in", g.n), rows, cols)
	g.fills = append(g.fills, data)
	return x
}

func (g *random) weights(rows, cols int) *Param {
	g.n++
	p := NewParam(fmt.Sprint("p", g.n), rows, cols)
	g.fills = append(g.fills, p.W)
	return p
}

// grow adds one operation.
func (g *random) grow() Node {
	x, y, t, cols := g.pick(), g.pick(), g.Tape, g.nodes[0].cols
	switch g.r.IntN(19) {
	case 0:
		return t.Add(x, y)
	case 1:
		return t.Sub(x, y)
	case 2:
		return t.Mul(x, y)
	case 3:
		return t.Min(x, y)
	case 4:
		return t.Max(x, y)
	case 5:
		return t.Clamp(x, g.input(x.rows, cols), y)
	case 6:
		return t.Relu(x)
	case 7:
		return t.Square(t.Tanh(x))
	case 8:
		return t.Neg(x)
	case 9:
		return t.Scale(x, g.r.NormFloat64())
	case 10:
		return t.AddConst(x, g.r.NormFloat64())
	case 11:
		return t.Exp(t.Tanh(x))
	case 12:
		return t.Softplus(x)
	case 13:
		return t.LogSoftmax(x)
	case 14:
		return t.layer(layer{x: x, act: Activation(g.r.IntN(3) - 1)}, dense{g.weights(cols, cols), g.weights(1, cols)})
	case 15:
		return t.MatMul(x, t.Param(g.weights(cols, cols)))
	case 16:
		return t.Add(x, t.Spread(t.Param(g.weights(1, cols))))
	case 17:
		g.n++
		return t.MatMul(t.Place(fmt.Sprint("place", g.n), x, 1, cols+2), t.Param(g.weights(cols+2, cols)))
	default: // a number for each row, repeated in its columns
		v := t.Reshape(t.SumRows(x), x.rows, 1)
		return t.MatMul(v, t.Param(g.weights(1, cols)))
	}
}

// Plans give the bits of Gorgonia's machine on random graphs of the vocabulary.
func TestPlansOfRandomGraphs(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		shape := [][2]int{{1, 3}, {5, 1}, {4, 3}, {1, 1}, {130, 2}}[seed%5]
		g := &random{Tape: NewTape(shape[0]), r: r}
		g.nodes = []Node{g.layer(layer{x: g.input(shape[0], 2)},
			dense{g.weights(2, shape[1]), g.weights(1, shape[1])}), g.input(shape[0], shape[1])}
		for range 3 + r.IntN(12) {
			g.nodes = append(g.nodes, g.grow())
		}
		last := g.nodes[0]
		for _, n := range g.nodes[1:] { // the loss must depend on all weights
			last = g.Add(last, n)
		}
		rows := g.SumRows(g.Mul(last, g.input(shape[0], shape[1])))
		g.Watch(rows)
		m, err := g.Compile(g.Scale(g.Sum(g.Huber("huber", rows)), 0.3))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for range 2 {
			for _, x := range g.fills {
				scattered(x, r)
			}
			t.Run(fmt.Sprint(seed), func(t *testing.T) { holdToReference(t, m) })
		}
	}
}

// So they do for the losses and networks that the differences check.
func TestPlansOfLosses(t *testing.T) {
	for _, c := range lossCases() {
		r := stream(c.name)
		p := NewParam("p", c.shape[0], c.shape[1])
		fill(p.W, r)
		tape := NewTape(rows)
		loss, refill := c.build(tape, p, r)
		m, err := tape.Compile(loss)
		if err != nil {
			t.Fatal(err)
		}
		refill()
		holdToReference(t, m)
	}
}

func TestPlansOfNetworks(t *testing.T) {
	all := nets(stream("networks"))
	for name, d := range duels() {
		all["duel of "+name] = d
	}
	for name, net := range all {
		r := stream(name)
		const batch = 3
		m, feed, weights := weightedSum(t, net, batch)
		obs := make([]float64, net.In())
		for range 2 {
			for i := range batch {
				fill(obs, r)
				unmark(net, obs, r)
				feed(i, obs, randomMask(net, r))
			}
			scattered(weights, r)
			t.Run(name, func(t *testing.T) { holdToReference(t, m) })
		}
	}
}

// An operation that a plan does not have is an error that names it.
func TestPlanOfUnknownOperation(t *testing.T) {
	tape := NewTape(2)
	x := tape.Param(NewParam("p", 2, 2))
	y := tape.unary("cube", x, gorgonia.Cube)
	if _, err := tape.Compile(tape.Sum(tape.SumRows(y))); err == nil || !strings.Contains(err.Error(), "cube") ||
		!strings.Contains(err.Error(), "not one that a plan has") {
		t.Errorf("error is %v", err)
	}
}
