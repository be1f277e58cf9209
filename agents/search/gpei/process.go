package gpei

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"tarry/agents/search"
	"tarry/internal/fixmath"
)

// process is a Gaussian process with mean 0, conditioned on points.
type process struct {
	space    search.Space
	lengths  []float64
	noise    float64 // variance of the noise over the variance of the response
	variance float64 // of the response
	xs       [][]float64
	weights  *mat.VecDense // K^-1 y
	chol     mat.Cholesky
	lower    [][]float64 // its factor, row by row; made by ready
	z        []float64   // room for one solution
	score    float64     // log marginal likelihood plus log prior, up to a constant
}

// grid has the lengths that are tried, of the cube's side, and noises the ratios of variances.
func grid() (lengths, noises []float64) {
	return []float64{0.05, 0.08, 0.125, 0.2, 0.32, 0.5, 0.8, 1.25, 2, 3.2},
		[]float64{1e-6, 1e-4, 1e-3, 1e-2, 0.05, 0.2, 1}
}

// fit chooses the hyper-parameters that explain the values best: one length for all parameters, the
// noise, then a length for each. nil states that nothing could be factorised.
func fit(space search.Space, xs [][]float64, y []float64) *process {
	lengths, noises := grid()
	var best *process
	try := func(ls []float64, noise float64) {
		g := &process{space: space, lengths: ls, noise: noise, xs: xs}
		if g.condition(y) && (best == nil || g.score > best.score) {
			best = g
		}
	}
	for _, l := range lengths {
		ls := make([]float64, len(space))
		for i := range ls {
			ls[i] = l
		}
		for _, noise := range []float64{1e-4, 1e-2} {
			try(ls, noise)
		}
	}
	for range 2 {
		if best == nil {
			return nil
		}
		before := best
		for _, noise := range noises {
			if noise != before.noise {
				try(before.lengths, noise)
			}
		}
		for i := range space {
			from := best
			for _, l := range lengths {
				if len(space) > 1 && l != from.lengths[i] {
					ls := append([]float64(nil), from.lengths...)
					ls[i] = l
					try(ls, from.noise)
				}
			}
		}
		if best == before {
			break
		}
	}
	return best.ready()
}

// condition factorises the covariance and scores the hyper-parameters; false if it cannot.
func (g *process) condition(y []float64) bool {
	n := len(y)
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			k.SetSym(i, j, g.kernel(g.xs[i], g.xs[j]))
		}
		k.SetSym(i, i, 1+g.noise)
	}
	if !g.chol.Factorize(k) {
		return false
	}
	v := mat.NewVecDense(n, append([]float64(nil), y...))
	g.weights = mat.NewVecDense(n, nil)
	if err := g.chol.SolveVecTo(g.weights, v); err != nil {
		return false
	}
	g.variance = mat.Dot(v, g.weights) / float64(n)
	if !(g.variance > 0) {
		g.variance = 1e-12 // all values are equal
	}
	g.score = -0.5*float64(n)*math.Log(g.variance) - 0.5*g.chol.LogDet()
	for _, l := range g.lengths {
		z := math.Log(l / 0.4)
		g.score -= 0.5 * z * z
	}
	return true
}

// kernel is Matern's with nu = 5/2 and variance 1. Choices are as far apart as the cube is wide.
func (g *process) kernel(a, b []float64) float64 {
	square := 0.0
	for i, p := range g.space {
		d := (a[i] - b[i]) / g.lengths[i]
		if p.Kind == search.Choice && d != 0 {
			d = 1 / g.lengths[i]
		}
		square += float64(d * d)
	}
	r := math.Sqrt(5 * square)
	return (1 + r + r*r/3) * fixmath.Exp(-r)
}

// at is the posterior mean and standard deviation of the response, without noise.
func (g *process) at(x []float64) (mean, sd float64) {
	explained := 0.0
	for i, o := range g.xs { // z = L^-1 k by substitution
		k := g.kernel(x, o)
		mean += float64(k * g.weights.AtVec(i))
		row, z := g.lower[i], k
		for j, l := range row[:i] {
			z -= float64(l * g.z[j])
		}
		g.z[i] = z / row[i]
		explained += float64(g.z[i] * g.z[i])
	}
	return mean, math.Sqrt(g.variance * max(0, 1-explained))
}

// ready makes the factor that at needs.
func (g *process) ready() *process {
	n := len(g.xs)
	var l mat.TriDense
	g.chol.LTo(&l)
	g.lower, g.z = make([][]float64, n), make([]float64, n)
	for i := range g.lower {
		g.lower[i] = make([]float64, i+1)
		for j := range g.lower[i] {
			g.lower[i][j] = l.At(i, j)
		}
	}
	return g
}
