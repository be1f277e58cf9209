// Package cmaes is the evolution strategy that adapts its covariance matrix.
//
// Hansen, The CMA Evolution Strategy: A Tutorial, arXiv 1604.00772, figure 6 with the defaults of
// table 1, negative weights included, and restarts with twice the population (Auger and Hansen, CEC
// 2005).
//
// Reading guide. cmaes.go is the method for a cube, distribution.go the algorithm without bounds,
// weights.go what its points weigh, state.go how it is saved.
//
// We differ: the cube bounds the search. A point outside is drawn again, up to a hundred times,
// then moved to the border. A run starts again when it can no longer distinguish its points: no
// deviation above 1e-12, a condition of the covariance above 1e14, or the same best value in 10 +
// 30 d / population generations.
package cmaes

import (
	"math"
	"slices"

	"tarry/agents/search"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Params describes the settings.
const Params = `sigma       first standard deviation, of the cube's side
population  points of a generation; 0 = 4 + floor(3 ln d)`

type method struct {
	cfg    search.Config
	sigma0 float64
	first  int // population of the first run
	run    *Distribution
	runs   int
	drawn  [][]float64 // the batch under way
	best   []float64   // of each generation of the run
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
		mean, lambda := slices.Repeat([]float64{0.5}, len(m.cfg.Space)), m.first<<min(m.runs, 16)
		if m.runs++; m.runs > 1 {
			mean = m.cfg.Uniform(draws)
		}
		m.run, m.best = NewDistribution(mean, lambda, m.sigma0), nil
	}
	m.drawn = make([][]float64, m.run.lambda)
	for k := range m.drawn {
		m.drawn[k] = sample(m.run, draws)
	}
	return m.cfg.Full(m.drawn...)
}

// Learn moves the distribution, and drops it when it is spent.
func (m *method) Learn(batch []search.Observation) {
	costs := make([]float64, len(batch))
	for i := range batch {
		costs[i] = batch[i].Mean
	}
	m.best = append(m.best, slices.Min(costs))
	if m.run.Update(m.drawn, costs); m.run.Degenerate() || m.flat() {
		m.run = nil
	}
}

// flat reports whether the best value has not changed for long.
func (m *method) flat() bool {
	n := 10 + 30*m.run.d/m.run.lambda
	if len(m.best) < n {
		return false
	}
	last := m.best[len(m.best)-n:]
	return slices.Min(last) == slices.Max(last)
}

// sample draws a point in the cube.
func sample(r *Distribution, draws *rng.Stream) []float64 {
	x, z := make([]float64, r.d), make([]float64, r.d)
	for range 100 {
		r.Sample(x, z, draws)
		if slices.Min(x) >= 0 && slices.Max(x) <= 1 {
			return x
		}
	}
	for i := range x {
		x[i] = min(max(x[i], 0), 1)
	}
	return x
}
