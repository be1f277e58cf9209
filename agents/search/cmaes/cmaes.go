// Package cmaes is the evolution strategy that adapts its covariance matrix.
//
// Hansen, The CMA Evolution Strategy: A Tutorial, arXiv 1604.00772, figure 6 with the defaults of table 1, negative
// weights included, and restarts with twice the population (Auger and Hansen, CEC 2005).
//
// We differ: the cube bounds the search. A point outside is drawn again, up to a hundred times, then moved to the border. A run starts
// again when it can no longer tell its points apart: no deviation above 1e-12, a condition of the covariance above
// 1e14, or the same best value in 10 + 30 d / population generations.
package cmaes

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"tarry/agents/search"
	"tarry/internal/fixmath"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Params describes the settings.
const Params = `sigma       first standard deviation, of the cube's side (0.3)
population  points of a generation; 0 = 4 + floor(3 ln d) (0)`

type method struct {
	cfg    search.Config
	sigma0 float64
	first  int // population of the first run
	*run
	runs  int
	drawn [][]float64 // the batch under way
}

// New reads the settings; s.Err has the faults.
func New(c search.Config, s *param.Set) (search.Method, error) {
	d := len(c.Space)
	m := &method{cfg: c, sigma0: s.Float("sigma", 0.3, 1e-6, 10), first: s.Int("population", 0, 0, 100_000)}
	if m.first == 0 {
		m.first = 4 + int(3*math.Log(float64(d)))
	}
	if m.first < 2 {
		s.Fault("population is %d, expected at least 2", m.first)
	}
	return m, s.Err()
}

// Propose samples a generation: x = m + sigma B D z, equations 38 to 40.
func (m *method) Propose(_ []search.Observation, draws *rng.Stream) []search.Ask {
	if m.run == nil {
		m.run = newRun(len(m.cfg.Space), m.first<<min(m.runs, 16), m.sigma0)
		if m.runs++; m.runs > 1 {
			m.mean = m.cfg.Uniform(draws)
		}
	}
	m.drawn = make([][]float64, m.lambda)
	for k := range m.drawn {
		m.drawn[k] = m.sample(draws)
	}
	return m.cfg.Full(m.drawn...)
}

// Learn moves the distribution, and drops it when it is spent.
func (m *method) Learn(batch []search.Observation) {
	costs := make([]float64, len(batch))
	for i := range batch {
		costs[i] = batch[i].Mean
	}
	if m.update(m.drawn, costs); m.stuck() {
		m.run = nil
	}
}

// run is one run, in the tutorial's names.
type run struct {
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
	best                    []float64 // of each generation
	broken                  bool
}

func newRun(d, lambda int, sigma float64) *run {
	n := float64(d)
	r := &run{d: d, lambda: lambda, sigma: sigma, mean: make([]float64, d), ps: make([]float64, d), pc: make([]float64, d), axes: make([]float64, d)}
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
		r.mean[i], r.axes[i] = 0.5, 1
		r.c.SetSym(i, i, 1)
		r.b.Set(i, i, 1)
	}
	return r
}

// effective is the number of points that count: the square of the sum over the sum of squares.
func effective(w []float64) float64 {
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	return sum * sum / dot(w, w)
}

// scale makes the absolute values add up to sum.
func scale(w []float64, sum float64) {
	have := 0.0
	for _, v := range w {
		have += math.Abs(v)
	}
	for i := range w {
		w[i] *= sum / have
	}
}

// sample draws a point in the cube.
func (r *run) sample(draws *rng.Stream) []float64 {
	x, z := make([]float64, r.d), make([]float64, r.d)
	for range 100 {
		inside := true
		for i := range z {
			z[i] = float64(r.axes[i] * draws.NormFloat64())
		}
		for i := range x {
			x[i] = r.mean[i] + float64(r.sigma*dot(r.b.RawRowView(i), z))
			inside = inside && x[i] >= 0 && x[i] <= 1
		}
		if inside {
			return x
		}
	}
	for i := range x {
		x[i] = min(max(x[i], 0), 1)
	}
	return x
}

// update is one generation, equations 41 to 47.
func (r *run) update(points [][]float64, costs []float64) {
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(costs[a], costs[b]) })
	r.generation++
	r.best = append(r.best, costs[order[0]])
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
func (r *run) paths(move []float64, steps [][]float64) {
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
func (r *run) whiten(y []float64) []float64 {
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
func (r *run) decompose() {
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

// stuck reports whether a run has nothing more to learn.
func (r *run) stuck() bool {
	if r.broken || math.IsNaN(r.sigma) || math.IsInf(r.sigma, 0) {
		return true
	}
	lo, hi := slices.Min(r.axes), slices.Max(r.axes)
	if r.sigma*hi < 1e-12 || hi/lo > 1e7 {
		return true
	}
	n := 10 + 30*r.d/r.lambda
	if len(r.best) < n {
		return false
	}
	last := r.best[len(r.best)-n:]
	return slices.Min(last) == slices.Max(last)
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += float64(a[i] * b[i])
	}
	return s
}
