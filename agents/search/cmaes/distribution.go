package cmaes

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// Distribution is the normal distribution of one run, in the tutorial's names, over points without
// bounds. It starts at the standard normal one around its mean, times sigma.
type Distribution struct {
	d, lambda               int
	weights                 []float64 // of all points, the best first; those from better on are negative
	better                  int
	mu, cs, ds, cc, c1, cmu float64 // mu is mu_eff
	chi                     float64 // mean length of a standard normal vector
	mean                    []float64
	sigma                   float64
	ps, pc                  []float64
	c                       *mat.SymDense
	b                       *mat.Dense // columns are the axes
	axes                    []float64  // their standard deviations, D
	generation              int
	broken                  bool
}

// NewDistribution gives the distribution around a mean of d >= 1 numbers, for generations of lambda
// >= 2 points.
func NewDistribution(mean []float64, lambda int, sigma float64) *Distribution {
	d := len(mean)
	n := float64(d)
	r := &Distribution{d: d, lambda: lambda, sigma: sigma, mean: slices.Clone(mean), ps: make([]float64, d),
		pc: make([]float64, d), axes: make([]float64, d)}
	for i := range lambda {
		r.weights = append(r.weights, math.Log(float64(lambda+1)/2)-math.Log(float64(i+1)))
	}
	r.better = lambda / 2
	up, down := effective(r.weights[:r.better]), effective(r.weights[r.better:])
	r.mu = up
	r.cs = (r.mu + 2) / (n + r.mu + 5)
	r.ds = 1 + 2*max(0, math.Sqrt((r.mu-1)/(n+1))-1) + r.cs
	r.cc = (4 + r.mu/n) / (n + 4 + 2*r.mu/n)
	r.c1 = 2 / (float64((n+1.3)*(n+1.3)) + r.mu)
	r.cmu = min(1-r.c1, 2*(r.mu-2+1/r.mu)/(float64((n+2)*(n+2))+r.mu))
	scale(r.weights[:r.better], 1)
	if r.cmu > 0 { // equations 50 to 53
		scale(r.weights[r.better:], min(1+r.c1/r.cmu, 1+2*down/(r.mu+2), (1-r.c1-r.cmu)/(n*r.cmu)))
	}
	r.chi = math.Sqrt(n) * (1 - 1/(4*n) + 1/float64(21*n*n))
	r.c, r.b = mat.NewSymDense(d, nil), mat.NewDense(d, d, nil)
	for i := range d {
		r.axes[i] = 1
		r.c.SetSym(i, i, 1)
		r.b.Set(i, i, 1)
	}
	return r
}

// Mean is the distribution's mean; it changes with each Update.
func (r *Distribution) Mean() []float64 { return r.mean }

// Sigma is the step size: the standard deviation along an axis is Sigma times a number that starts
// at 1.
func (r *Distribution) Sigma() float64 { return r.sigma }

// Sample draws a point into x, with z of the same length as room to compute in.
func (r *Distribution) Sample(x, z []float64, draws *rng.Stream) {
	for i := range z {
		z[i] = float64(r.axes[i] * draws.NormFloat64())
	}
	for i := range x {
		x[i] = r.mean[i] + float64(r.sigma*dot(r.b.RawRowView(i), z))
	}
}

// Update is one generation, equations 41 to 47: points that were drawn, in any order, with their
// costs.
func (r *Distribution) Update(points [][]float64, costs []float64) {
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(costs[a], costs[b]) })
	r.generation++
	steps := make([][]float64, len(r.weights)) // y of the points in order
	move := make([]float64, r.d)
	for k, w := range r.weights {
		y := make([]float64, r.d)
		for i := range y {
			y[i] = (points[order[k]][i] - r.mean[i]) / r.sigma
			if k < r.better {
				move[i] += float64(w * y[i])
			}
		}
		steps[k] = y
	}
	for i := range r.mean {
		r.mean[i] += float64(r.sigma * move[i])
	}
	r.paths(move, steps)
}

// paths updates both evolution paths, the covariance and the step size.
func (r *Distribution) paths(move []float64, steps [][]float64) {
	whitened := r.whiten(move)
	a := math.Sqrt(r.cs * (2 - r.cs) * r.mu)
	for i := range r.ps {
		r.ps[i] = float64((1-r.cs)*r.ps[i]) + float64(a*whitened[i])
	}
	length := math.Sqrt(dot(r.ps, r.ps))
	h := 0.0 // stalls the path while the step size grows fast
	if length/math.Sqrt(1-fixmath.Pow(1-r.cs, 2*float64(r.generation))) < (1.4+2/float64(r.d+1))*r.chi {
		h = 1
	}
	a = h * math.Sqrt(r.cc*(2-r.cc)*r.mu)
	for i := range r.pc {
		r.pc[i] = float64((1-r.cc)*r.pc[i]) + float64(a*move[i])
	}
	weights := slices.Clone(r.weights)
	keep := 1 + float64(r.c1*(1-h)*r.cc*(2-r.cc)) - r.c1
	for k := range weights {
		keep -= float64(r.cmu * weights[k])
		if k >= r.better { // so that no axis can become negative, equation 46
			z := r.whiten(steps[k])
			weights[k] *= float64(r.d) / max(dot(z, z), 1e-300)
		}
	}
	for i := range r.d {
		for j := i; j < r.d; j++ {
			v := float64(keep*r.c.At(i, j)) + float64(r.c1*r.pc[i]*r.pc[j])
			for k, w := range weights {
				v += float64(r.cmu * w * steps[k][i] * steps[k][j])
			}
			r.c.SetSym(i, j, v)
		}
	}
	r.sigma *= fixmath.Exp(min(1, (r.cs/r.ds)*(length/r.chi-1)))
	r.decompose()
}

// whiten is C^(-1/2) y = B D^-1 B' y.
func (r *Distribution) whiten(y []float64) []float64 {
	out := make([]float64, r.d)
	for k := range r.d {
		along := 0.0
		for i := range r.d {
			along += float64(r.b.At(i, k) * y[i])
		}
		along /= r.axes[k]
		for i := range r.d {
			out[i] += float64(r.b.At(i, k) * along)
		}
	}
	return out
}

// decompose gives the axes of the covariance.
func (r *Distribution) decompose() {
	var e mat.EigenSym
	if !e.Factorize(r.c, true) {
		r.broken = true
		return
	}
	e.VectorsTo(r.b)
	for i, v := range e.Values(nil) {
		if !(v > 0) || math.IsInf(v, 0) {
			r.broken = true
			return
		}
		r.axes[i] = math.Sqrt(v)
	}
}

// Degenerate reports whether the distribution can no longer distinguish its points: no deviation
// above 1e-12, a condition of the covariance above 1e14, or what is no number.
func (r *Distribution) Degenerate() bool {
	if r.broken || math.IsNaN(r.sigma) || math.IsInf(r.sigma, 0) {
		return true
	}
	lo, hi := slices.Min(r.axes), slices.Max(r.axes)
	return r.sigma*hi < 1e-12 || hi/lo > 1e7
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += float64(a[i] * b[i])
	}
	return s
}
