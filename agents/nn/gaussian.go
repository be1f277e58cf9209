package nn

import (
	"math"

	"tarry/internal/fixmath"
)

// logSqrt2Pi is log(sqrt(2 pi)), logSqrt2PiE the entropy of a standard Gaussian.
const (
	logSqrt2Pi  = 0.918938533204672741780329736405617639861397473637783412817
	logSqrt2PiE = logSqrt2Pi + 0.5
)

// GaussianLogProb is the log-density of x under independent Gaussians.
func GaussianLogProb(x, mean, logStd []float64) float64 {
	sum := 0.0
	for i := range x {
		z := (x[i] - mean[i]) / fixmath.Exp(logStd[i])
		sum -= float64(0.5*float64(z*z)) + logStd[i] + logSqrt2Pi
	}
	return sum
}

// GaussianEntropy returns the entropy in nats of independent Gaussians.
func GaussianEntropy(logStd []float64) float64 {
	sum := 0.0
	for _, s := range logStd {
		sum += s + logSqrt2PiE
	}
	return sum
}

// SquashCorrection is the sum of log(1 - tanh(u)^2): the log-density of tanh(u) is the log-density
// of u minus this (Haarnoja et al., arXiv:1801.01290, appendix C). The form 2 (log 2 - u -
// softplus(-2u)) keeps its digits where tanh(u) rounds to 1.
func SquashCorrection(u []float64) float64 {
	sum := 0.0
	for _, x := range u {
		sum += 2 * (math.Ln2 - x - softplus(-2*x))
	}
	return sum
}

// softplus is log(1+exp(x)) without overflow.
func softplus(x float64) float64 {
	return max(x, 0) + fixmath.Log1p(fixmath.Exp(-math.Abs(x)))
}

// GaussianLogProb is the log-density of each row of x under independent Gaussians with
// the mean's row and the same logStd (one row) for all: a vector.
func (t *Tape) GaussianLogProb(x, mean, logStd Node) Node {
	rows := t.Spread(logStd)
	z := t.Mul(t.Sub(x, mean), t.Exp(t.Neg(rows)))
	return t.SumRows(t.Neg(t.AddConst(t.Add(t.Scale(t.Square(z), 0.5), rows), logSqrt2Pi)))
}

// GaussianEntropy is the entropy of each row's Gaussians, the same for all: a vector.
func (t *Tape) GaussianEntropy(logStd Node) Node {
	return t.SumRows(t.AddConst(t.Spread(logStd), logSqrt2PiE))
}

// SquashCorrection is the sum of log(1 - tanh(u)^2) over each row: a vector.
func (t *Tape) SquashCorrection(u Node) Node {
	return t.SumRows(t.Scale(t.AddConst(t.Neg(t.Add(u, t.Softplus(t.Scale(u, -2)))), math.Ln2), 2))
}
