package nn

import (
	"math/rand/v2"

	"tarry/internal/netfile"
)

// Net is a network over flat observations. Forward uses scratch memory of the Net, so one
// Net serves one goroutine; Fork gives another over the same weights.
type Net interface {
	// Params lists the weights, in a fixed order.
	Params() []*Param
	// In and Out are the lengths of an observation and of an answer.
	In() int
	Out() int
	// Forward computes the answer to one observation without allocating. The mask may
	// be nil; only networks over candidates look at it.
	Forward(dst, obs []float64, mask []bool)
	// ForwardRows answers observations that follow one another, in dst one answer after the other:
	// the very numbers of Forward, row by row. The mask has all rows, or is nil. It allocates only
	// for more rows than ever before.
	ForwardRows(dst, obs []float64, mask []bool, rows int)
	// Graph adds the network to a tape. The node has a row per sample and Out columns;
	// feed sets one sample before a run. Inputs are named by the network's name.
	Graph(t *Tape) (out Node, feed func(row int, obs []float64, mask []bool))
	// Fork shares the weights but not the scratch memory.
	Fork() Net
}

// Activation is the function between the layers of a network.
type Activation int

// The activations.
const (
	Tanh Activation = iota
	Relu
)

// String is the activation's name in files.
func (a Activation) String() string {
	if a == Relu {
		return netfile.Relu
	}
	return netfile.Tanh
}

// ActivationOf is the activation of a name, Tanh's or Relu's; otherwise of any other name.
func ActivationOf(name string, otherwise Activation) Activation {
	for _, a := range []Activation{Tanh, Relu} {
		if a.String() == name {
			return a
		}
	}
	return otherwise
}

// dense is one layer: x w + b.
type dense struct{ w, b *Param }

// newDense gives a layer with orthogonal weights and a bias of 0.
func newDense(name string, in, out int, gain float64, r *rand.Rand) dense {
	d := dense{NewParam(name+"/weight", in, out), NewParam(name+"/bias", 1, out)}
	Orthogonal(d.w, gain, r)
	return d
}

// apply computes dst = x w + b for rows of x.
func (d dense) apply(dst, x []float64, rows int) {
	n := d.w.Cols
	for i := range rows {
		copy(dst[i*n:(i+1)*n], d.b.W)
	}
	addProducts(dst, x, d.w, rows)
}

// room is x with n numbers, which are not the former numbers if there was too little room.
func room(x *[]float64, n int) []float64 {
	if cap(*x) < n {
		*x = make([]float64, n)
	}
	*x = (*x)[:n]
	return *x
}
