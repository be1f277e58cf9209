package nn

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/internal/vector"
)

// Adam is the optimiser of Kingma and Ba (arXiv:1412.6980, algorithm 1), in the form that
// PyTorch computes: w -= lr * mhat / (sqrt(vhat) + eps). The zero step count is before
// the first step, so the first step's bias correction is 1-beta.
type Adam struct {
	// Beta1 and Beta2 are the decay rates of the moments, usually 0.9 and 0.999.
	Beta1, Beta2 float64
	// Eps is added to the root; PPO uses 1e-5.
	Eps float64

	params []*Param
	steps  uint64
	m, v   [][]float64
}

// NewAdam gives an optimiser of these weights with the usual decay rates.
func NewAdam(params []*Param, eps float64) *Adam {
	a := &Adam{Beta1: 0.9, Beta2: 0.999, Eps: eps, params: params}
	for _, p := range params {
		a.m = append(a.m, make([]float64, len(p.W)))
		a.v = append(a.v, make([]float64, len(p.W)))
	}
	return a
}

// Steps is how many steps were made.
func (a *Adam) Steps() uint64 { return a.steps }

// Step moves every weight by its gradient with the learning rate lr.
func (a *Adam) Step(lr float64) {
	a.steps++
	c1 := 1 - fixmath.Pow(a.Beta1, float64(a.steps))
	c2 := math.Sqrt(1 - fixmath.Pow(a.Beta2, float64(a.steps)))
	step := vector.Adam{Beta1: a.Beta1, Beta2: a.Beta2, Rate: lr / c1, Root: c2, Eps: a.Eps}
	for k, p := range a.params {
		step.Step(p.W, a.m[k], a.v[k], p.Grad)
	}
}
