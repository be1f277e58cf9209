package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// MLP is a chain of dense layers with an activation between them.
type MLP struct {
	name   string
	act    Activation
	layers []dense
	x      [][]float64 // the values after each hidden layer
}

// NewMLP gives a network of these sizes (input, hidden layers, output; each at least 1)
// with orthogonal weights from the stream: gain sqrt(2) for hidden layers, lastGain for
// the output.
func NewMLP(name string, sizes []int, act Activation, lastGain float64, r *rand.Rand) *MLP {
	m := &MLP{name: name, act: act}
	for i := range len(sizes) - 1 {
		gain := math.Sqrt2
		if i == len(sizes)-2 {
			gain = lastGain
		}
		m.layers = append(m.layers, newDense(fmt.Sprintf("%s/%d", name, i), sizes[i], sizes[i+1], gain, r))
	}
	m.x = scratch(m.layers)
	return m
}

// scratch is room for the values between layers.
func scratch(layers []dense) [][]float64 {
	var x [][]float64
	for _, d := range layers {
		x = append(x, make([]float64, d.w.Cols))
	}
	return x
}

// Params implements Net.
func (m *MLP) Params() []*Param {
	var p []*Param
	for _, d := range m.layers {
		p = append(p, d.w, d.b)
	}
	return p
}

// In implements Net.
func (m *MLP) In() int { return m.layers[0].w.Rows }

// Out implements Net.
func (m *MLP) Out() int { return m.layers[len(m.layers)-1].w.Cols }

// Forward implements Net.
func (m *MLP) Forward(dst, obs []float64, mask []bool) { m.ForwardRows(dst, obs, mask, 1) }

// ForwardRows implements Net.
func (m *MLP) ForwardRows(dst, obs []float64, _ []bool, rows int) {
	x, last := obs, len(m.layers)-1
	for i, d := range m.layers[:last] {
		y := room(&m.x[i], rows*d.w.Cols)
		d.apply(y, x, rows)
		activate(y, m.act)
		x = y
	}
	m.layers[last].apply(dst, x, rows)
}

// Graph implements Net.
func (m *MLP) Graph(t *Tape) (Node, func(row int, obs []float64, mask []bool)) {
	x, data := t.Matrix(m.name+"/obs", t.Batch(), m.In())
	n := m.In()
	return m.GraphOn(t, x), func(row int, obs []float64, _ []bool) { copy(data[row*n:(row+1)*n], obs) }
}

// Fork implements Net.
func (m *MLP) Fork() Net {
	return &MLP{name: m.name, act: m.act, layers: m.layers, x: scratch(m.layers)}
}
