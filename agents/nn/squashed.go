package nn

import (
	"fmt"

	"tarry/internal/fixmath"
)

// A squashed Gaussian's deviation lies between the exponentials of these.
const (
	minLogStd = -5
	maxLogStd = 2
)

// Squashed is a Gaussian bounded by tanh whose mean and deviation a network gives (Haarnoja et
// al., arXiv:1812.05905, appendix C): the first half of its outputs is the mean, the second half,
// bent by tanh into [-5,2], the logarithm of the deviation.
type Squashed struct {
	net            *MLP
	out, std, outs []float64
}

// NewSquashed takes a network with two outputs per number of an action.
func NewSquashed(net *MLP) *Squashed {
	return &Squashed{net: net, out: make([]float64, net.Out()), std: make([]float64, net.Out()/2)}
}

// Params lists the network's weights.
func (s *Squashed) Params() []*Param { return s.net.Params() }

// Fork shares the weights but not the scratch memory.
func (s *Squashed) Fork() *Squashed {
	net, _ := s.net.Fork().(*MLP)
	return NewSquashed(net)
}

// Draw writes the action in [-1,1] that noise, standard normal numbers, leads to, and gives its
// log-density; nil noise is the mean. It allocates nothing.
func (s *Squashed) Draw(action, obs, noise []float64) (logp float64) {
	s.net.Forward(s.out, obs, nil)
	return s.drawn(action, s.out, noise)
}

// DrawRows is Draw for observations that follow one another.
func (s *Squashed) DrawRows(actions, logp, obs, noise []float64, rows int) {
	n := len(s.std)
	out := room(&s.outs, rows*2*n)
	s.net.ForwardRows(out, obs, nil, rows)
	for i := range rows {
		logp[i] = s.drawn(actions[i*n:(i+1)*n], out[i*2*n:(i+1)*2*n], noise[i*n:(i+1)*n])
	}
}

// drawn is Draw from what the network gave.
func (s *Squashed) drawn(action, out, noise []float64) (logp float64) {
	n := len(s.std)
	for i := range s.std {
		u, z := out[i], 0.0
		log := logStdOf(out[n+i])
		if noise != nil {
			z = noise[i]
			u += float64(fixmath.Exp(log) * z)
		}
		s.std[i] = u // SquashCorrection reads it below
		action[i] = fixmath.Tanh(u)
		logp -= float64(0.5*float64(z*z)) + log + logSqrt2Pi
	}
	return logp - SquashCorrection(s.std)
}

// logStdOf bends a network's output into the range of logarithms of deviations.
func logStdOf(x float64) float64 {
	return minLogStd + float64(0.5*(maxLogStd-minLogStd)*(fixmath.Tanh(x)+1))
}

// Graph adds the distribution to a tape: the actions, a matrix, and their log-densities, a vector.
// obs is a node with a row per sample; noise, standard normal numbers, is to be filled.
func (s *Squashed) Graph(t *Tape, obs Node) (action, logp Node, noise []float64) {
	n, name := len(s.std), s.net.name
	out := s.net.GraphOn(t, obs)
	mean := t.MatMul(out, t.Columns(0, n, 2*n))
	raw := t.MatMul(out, t.Columns(n, n, 2*n))
	half := float64(maxLogStd-minLogStd) / 2
	logStd := t.AddConst(t.Scale(t.Tanh(raw), half), minLogStd+half)
	z, noise := t.Matrix(fmt.Sprint(name, "/noise"), t.Batch(), n)
	u := t.Add(mean, t.Mul(t.Exp(logStd), z))
	dense := t.Neg(t.AddConst(t.Add(t.Scale(t.Square(z), 0.5), logStd), logSqrt2Pi))
	return t.Tanh(u), t.Sub(t.SumRows(dense), t.SquashCorrection(u)), noise
}
