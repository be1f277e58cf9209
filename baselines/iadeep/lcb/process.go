package lcb

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Process is a Gaussian process with mean 0 and the kernel Origin + x.y, conditioned on values with
// Noise. With this kernel it is Bayesian linear regression on the features (s0, x), so that what is
// factorised has the size of x and not the size of the values.
type Process struct {
	// Origin is the variance of the value at 0, s0^2, and Noise the variance of the noise; both > 0.
	Origin, Noise float64
	chol          mat.Cholesky  // of F'F + Noise, F the features of the values
	weights       *mat.VecDense // (F'F + Noise)^-1 F'y
	point, half   *mat.VecDense
	likely        float64
}

// Condition gives the process after the values y have been seen at xs, at least one; false where
// its matrix cannot be factorised.
func Condition(origin, noise float64, xs [][]float64, y []float64) (*Process, bool) {
	n := len(xs[0]) + 1
	p := &Process{Origin: origin, Noise: noise, weights: mat.NewVecDense(n, nil), point: mat.NewVecDense(n, nil),
		half: mat.NewVecDense(n, nil)}
	a, b, square := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil), 0.0
	for i := range n {
		a.SetSym(i, i, noise)
	}
	for k, x := range xs {
		p.features(x)
		for i := range n {
			f := p.point.AtVec(i)
			b.SetVec(i, b.AtVec(i)+float64(f*y[k]))
			for j := i; j < n; j++ {
				a.SetSym(i, j, a.At(i, j)+float64(f*p.point.AtVec(j)))
			}
		}
		square += float64(y[k] * y[k])
	}
	if !p.chol.Factorize(a) || p.chol.SolveVecTo(p.weights, b) != nil {
		return nil, false
	}
	free := float64(len(y) - n)
	p.likely = -0.5*(square-mat.Dot(b, p.weights))/noise - 0.5*(float64(free*math.Log(noise))+p.chol.LogDet()) -
		0.5*float64(float64(len(y))*math.Log(2*math.Pi))
	return p, true
}

func (p *Process) features(x []float64) {
	p.point.SetVec(0, math.Sqrt(p.Origin))
	for i, v := range x {
		p.point.SetVec(i+1, v)
	}
}

// At gives the mean and the standard deviation of the function at a point, without noise.
func (p *Process) At(x []float64) (mean, sigma float64) {
	p.features(x)
	mean = mat.Dot(p.point, p.weights)
	if p.chol.SolveVecTo(p.half, p.point) != nil { // it is factorised, so this does not happen
		return mean, 0
	}
	return mean, math.Sqrt(max(0, p.Noise*mat.Dot(p.point, p.half)))
}

// fit is the process whose two variances explain the values best; of equals the first. nil where
// none can be factorised.
func fit(xs [][]float64, y []float64) (best *Process) {
	for _, origin := range [...]float64{0.01, 0.1, 1, 10} {
		for _, noise := range [...]float64{1e-4, 1e-3, 1e-2, 0.1, 1} {
			if p, ok := Condition(origin, noise, xs, y); ok && (best == nil || p.likely > best.likely) {
				best = p
			}
		}
	}
	return best
}
